#include "common/metering/rate.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::metering {
namespace {

constexpr int most = 1'000'000;
constexpr std::chrono::seconds clock_slack{1};  // of shared limits: what a server's clock may be put back by

std::optional<std::chrono::nanoseconds> period_of(std::string_view unit) {
    using namespace std::chrono_literals;
    if (unit == "s") return 1s;
    if (unit == "m") return 1min;
    if (unit == "h") return 1h;
    return std::nullopt;
}

}  // namespace

Taken take_one(SteadyTime spent_until, SteadyTime now, const Rate& rate) noexcept {
    // More than a burst was taken under another rate, which is in force no longer.
    const bool is_of_this_rate = spent_until <= now + rate.every * rate.burst + clock_slack;
    const SteadyTime begin = is_of_this_rate ? std::max(spent_until, now) : now;
    const auto ahead = begin - now;
    const auto allowed = rate.every * (rate.burst - 1);
    if (ahead > allowed) return {spent_until, ahead - allowed};
    return {begin + rate.every, std::nullopt};
}

std::optional<Rate> parse_rate(std::string_view text) {
    int count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || count < 1 || count > most || rest == end || *rest != '/') return std::nullopt;
    const auto period = period_of({rest + 1, end});
    if (!period) return std::nullopt;
    return Rate{.every = *period / count, .burst = count};
}

std::optional<Rate> read_rate(config::Section& section, std::string_view key) {
    if (!section.has(key)) return std::nullopt;
    auto limit = section.section(key);
    return read_rate(limit);
}

Rate read_rate(config::Section& limit) {
    const auto text = limit.required_text("rate");
    auto rate = parse_rate(text);
    if (!rate && !text.empty())
        limit.problem_at("rate", limit.path() +
                                     ".rate must be a whole number from 1 to 1000000 in a second, a minute "
                                     "or an hour, such as 50/s, 600/m or 1000/h, not \"" +
                                     text + "\"");
    const int usual = rate ? rate->burst : 1;
    return {.every = rate ? rate->every : std::chrono::nanoseconds{1},
            .burst = static_cast<int>(limit.integer("burst", usual, 1, most))};
}

}  // namespace sluice::metering
