#include "consumer/callbacks/anomalies.hpp"

#include <array>
#include <format>
#include <utility>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds a_month = std::chrono::days{30};

struct Row {
    std::string_view name;
    std::chrono::seconds lasts;
};
constexpr std::array<Row, anomaly_count> table{{{"burst_minute", 60s},
                                                {"burst_hour", 3600s},
                                                {"amount_differs", a_month},
                                                {"paid_after_closed", a_month},
                                                {"same_body", a_month},
                                                {"failing_client", 3600s}}};

/// More than `most` within the time that the anomaly lasts, however long it goes on.
void find_bursts(std::span<const SeenCallback> seen, Anomaly what, int most,
                 std::vector<FoundAnomaly>& found) {
    const std::chrono::seconds window = lasts(what);
    std::optional<std::size_t> open;  // the first callback of a burst that goes on
    std::size_t first = 0;            // of the window that ends with the callback
    for (std::size_t i = 0; i < seen.size(); ++i) {
        while (seen[i].at - seen[first].at >= window) ++first;
        if (i - first + 1 <= static_cast<std::size_t>(most)) continue;
        if (!open || seen[i].at - found.back().last > window) {
            open = first;
            found.push_back({.what = what, .began = seen[first].at});
        }
        found.back().last = seen[i].at;
        found.back().callbacks = static_cast<std::int64_t>(i - *open + 1);
        found.back().detail =
            std::format("{} callbacks, more than {} within {}", found.back().callbacks, most, window);
    }
}

/// When it happened, where the provider says it; else when it came.
WallTime when(const SeenCallback& callback) {
    return callback.occurred_at.value_or(callback.at);
}

bool is_of_another_amount(const SeenCallback& one, const SeenCallback& other) {
    return one.event_id != other.event_id && (one.amount != other.amount || one.currency != other.currency);
}

std::string paid_text(const SeenCallback& callback) {
    return std::format("{} pays {} {}", callback.event_id, *callback.amount, callback.currency);
}

void find_other_amount(std::span<const SeenCallback> seen, std::vector<FoundAnomaly>& found) {
    const SeenCallback* first = nullptr;
    for (const SeenCallback& one : seen) {
        if (!one.is_accepted || one.payment != "paid" || !one.amount) continue;
        if (first == nullptr) {
            first = &one;
        } else if (is_of_another_amount(*first, one)) {
            found.push_back({.what = Anomaly::amount_differs,
                             .began = first->at,
                             .last = one.at,
                             .callbacks = 2,
                             .detail = paid_text(*first) + ", " + paid_text(one)});
            return;
        }
    }
}

/// Providers deliver in any order, so what came later may have happened before.
void find_paid_after_closed(std::span<const SeenCallback> seen, std::vector<FoundAnomaly>& found) {
    const SeenCallback* closed = nullptr;
    const SeenCallback* paid = nullptr;
    for (const SeenCallback& one : seen) {
        if (!one.is_accepted) continue;
        if (one.payment == "closed" && (closed == nullptr || when(one) < when(*closed))) closed = &one;
        if (one.payment == "paid" && (paid == nullptr || when(one) > when(*paid))) paid = &one;
    }
    if (closed == nullptr || paid == nullptr || when(*paid) <= when(*closed)) return;
    found.push_back({.what = Anomaly::paid_after_closed,
                     .began = std::min(closed->at, paid->at),
                     .last = std::max(closed->at, paid->at),
                     .callbacks = 2,
                     .detail = std::format("{} closes it, {} pays it", closed->event_id, paid->event_id)});
}

}  // namespace

std::string_view name_of(Anomaly anomaly) noexcept {
    return table[std::to_underlying(anomaly)].name;
}

std::chrono::seconds lasts(Anomaly anomaly) noexcept {
    return table[std::to_underlying(anomaly)].lasts;
}

std::vector<FoundAnomaly> anomalies_of(std::span<const SeenCallback> seen,
                                       const config::CallbackSettings& limits) {
    std::vector<FoundAnomaly> found;
    find_bursts(seen, Anomaly::burst_minute, limits.most_in_a_minute, found);
    find_bursts(seen, Anomaly::burst_hour, limits.most_in_an_hour, found);
    find_other_amount(seen, found);
    find_paid_after_closed(seen, found);
    return found;
}

}  // namespace sluice::consumer
