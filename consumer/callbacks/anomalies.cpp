#include "consumer/callbacks/anomalies.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <utility>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds a_month = std::chrono::days{30};

struct Kind {
    std::string_view name;
    std::chrono::seconds lasts;
};
constexpr std::array<Kind, anomaly_count> kinds{{{"burst_minute", 60s},
                                                 {"burst_hour", 3600s},
                                                 {"amount_differs", a_month},
                                                 {"paid_after_closed", a_month},
                                                 {"same_body", a_month},
                                                 {"failing_client", 3600s}}};

/// More than `most` within the time that the anomaly lasts, however long it goes on.
void find_bursts(std::span<const WallTime> callbacks, Anomaly what, int most,
                 std::vector<FoundAnomaly>& found) {
    const std::chrono::seconds window = lasts(what);
    std::optional<std::size_t> open;  // the first callback of a burst that goes on
    std::size_t first = 0;            // of the window that ends with the callback
    for (std::size_t i = 0; i < callbacks.size(); ++i) {
        while (callbacks[i] - callbacks[first] >= window) ++first;
        if (i - first + 1 <= static_cast<std::size_t>(most)) continue;
        if (!open || callbacks[i] - found.back().last > window) {
            open = first;
            found.push_back({.what = what, .began = callbacks[first]});
        }
        found.back().last = callbacks[i];
        found.back().callbacks = static_cast<std::int64_t>(i - *open + 1);
        found.back().detail =
            std::format("{} callbacks, more than {} within {}", found.back().callbacks, most, window);
    }
}

/// When it happened, where the provider says it; else when it came.
WallTime when(const SeenPayment& payment) {
    return payment.occurred_at.value_or(payment.at);
}

bool are_near(const SeenPayment& one, const SeenPayment& other) {
    return std::chrono::abs(one.at - other.at) <= payments_within;
}

bool differ(const SeenPayment& one, const SeenPayment& other) {
    return one.event_id != other.event_id && (one.amount != other.amount || one.currency != other.currency);
}

std::string paid_text(const SeenPayment& payment) {
    return std::format("{} pays {} {}", payment.event_id, *payment.amount, payment.currency);
}

/// The first pair.
void find_other_amount(std::span<const SeenPayment> payments, std::vector<FoundAnomaly>& found) {
    for (std::size_t i = 0; i < payments.size(); ++i) {
        const SeenPayment& one = payments[i];
        if (one.payment != "paid" || !one.amount) continue;
        const auto other = std::ranges::find_if(payments.first(i), [&](const SeenPayment& before) {
            return before.payment == "paid" && before.amount && are_near(one, before) && differ(one, before);
        });
        if (other == payments.begin() + static_cast<std::ptrdiff_t>(i)) continue;
        found.push_back({.what = Anomaly::amount_differs,
                         .began = other->at,
                         .last = one.at,
                         .callbacks = 2,
                         .detail = paid_text(*other) + ", " + paid_text(one)});
        return;
    }
}

/// Providers deliver in any order, so what came later may have happened before.
void find_paid_after_closed(std::span<const SeenPayment> payments, std::vector<FoundAnomaly>& found) {
    for (const SeenPayment& paid : payments) {
        if (paid.payment != "paid") continue;
        const auto closed = std::ranges::find_if(payments, [&](const SeenPayment& one) {
            return one.payment == "closed" && are_near(one, paid) && when(one) < when(paid);
        });
        if (closed == payments.end()) continue;
        found.push_back({.what = Anomaly::paid_after_closed,
                         .began = std::min(closed->at, paid.at),
                         .last = std::max(closed->at, paid.at),
                         .callbacks = 2,
                         .detail = std::format("{} closes it, {} pays it", closed->event_id, paid.event_id)});
        return;
    }
}

std::string names_text(const std::map<std::string, int>& names) {
    constexpr std::size_t most = 900;
    std::string text;
    for (const auto& [name, times] : names) {
        if (text.size() + name.size() > most) return text + " and others";
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// `least` names or more within the window, however long it goes on.
std::vector<FoundAnomaly> find_several(std::span<const Named> all, Anomaly what, std::chrono::seconds window,
                                       std::size_t least, std::string_view text) {
    std::vector<FoundAnomaly> found;
    std::map<std::string, int> names;  // within the window
    std::size_t first = 0;
    std::size_t open = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        ++names[all[i].name];
        for (; all[i].at - all[first].at > window; ++first)
            if (--names[all[first].name] == 0) names.erase(all[first].name);
        if (names.size() < least) continue;
        if (found.empty() || all[i].at - found.back().last > window) {
            open = first;
            found.push_back({.what = what, .began = all[first].at});
        }
        found.back().last = all[i].at;
        found.back().callbacks = static_cast<std::int64_t>(i - open + 1);
        found.back().detail = std::format("{} {}: {}", names.size(), text, names_text(names));
    }
    return found;
}

}  // namespace

std::string_view name_of(Anomaly anomaly) noexcept {
    return kinds[std::to_underlying(anomaly)].name;
}

std::chrono::seconds lasts(Anomaly anomaly) noexcept {
    return kinds[std::to_underlying(anomaly)].lasts;
}

std::vector<FoundAnomaly> bursts_in(std::span<const WallTime> callbacks,
                                    const config::CallbackSettings& limits) {
    std::vector<FoundAnomaly> found;
    find_bursts(callbacks, Anomaly::burst_minute, limits.most_in_a_minute, found);
    find_bursts(callbacks, Anomaly::burst_hour, limits.most_in_an_hour, found);
    return found;
}

std::vector<FoundAnomaly> strange_payments(std::span<const SeenPayment> payments) {
    std::vector<FoundAnomaly> found;
    find_other_amount(payments, found);
    find_paid_after_closed(payments, found);
    return found;
}

std::vector<FoundAnomaly> one_body_of_several(std::span<const Named> events) {
    return find_several(events, Anomaly::same_body, bodies_within, 2, "events have one body");
}

std::vector<FoundAnomaly> failures_at_several(std::span<const Named> sources) {
    return find_several(sources, Anomaly::failing_client, failures_within, fewest_failing_sources,
                        "sources refused its signatures");
}

}  // namespace sluice::consumer
