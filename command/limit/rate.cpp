#include "command/limit/rate.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::command {
namespace {

constexpr int most = 1'000'000;
constexpr std::size_t most_fields = 16;

std::optional<std::chrono::nanoseconds> period_of(std::string_view unit) {
    using namespace std::chrono_literals;
    if (unit == "s") return 1s;
    if (unit == "m") return 1min;
    if (unit == "h") return 1h;
    return std::nullopt;
}

Rate read(config::Section& limit) {
    const auto text = limit.required_text("rate");
    auto rate = parse_rate(text);
    if (!rate && !text.empty())
        limit.problem_at("rate", limit.path() +
                                     ".rate must be a number of requests in a second, a minute or an "
                                     "hour, such as 50/s, 600/m or 1000/h");
    const int usual = rate ? rate->burst : 1;
    return {.every = rate ? rate->every : std::chrono::nanoseconds{1},
            .burst = static_cast<int>(limit.integer("burst", usual, 1, most))};
}

std::vector<webhook::Pointer> read_by(config::Section& limit) {
    std::vector<webhook::Pointer> by;
    for (const std::string& text : limit.texts("by")) {
        auto pointer = webhook::Pointer::parse(text);
        if (!pointer || text.empty())
            limit.problem_at("by",
                             "'" + text + "' is no JSON pointer: it must start with /, as in /merchant");
        else
            by.push_back(std::move(*pointer));
    }
    if (limit.has("by") && (by.empty() || by.size() > most_fields))
        limit.problem_at("by", limit.path() + ".by must be a list of 1 to 16 JSON pointers");
    return by;
}

}  // namespace

Taken take_one(SteadyTime spent_until, SteadyTime now, const Rate& rate) noexcept {
    const SteadyTime begin = std::max(spent_until, now);
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

std::optional<Rate> read_rate(config::Section& section) {
    if (!section.has("limit")) return std::nullopt;
    auto limit = section.section("limit");
    return read(limit);
}

std::optional<AccountLimit> read_account_limit(config::Section& section) {
    if (!section.has("limit")) return std::nullopt;
    auto limit = section.section("limit");
    auto by = read_by(limit);
    return AccountLimit{std::move(by), read(limit)};
}

}  // namespace sluice::command
