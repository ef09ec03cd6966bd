#include "poller/fetch/answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/http/grammar.hpp"

namespace sluice::poller {
namespace {

constexpr std::chrono::milliseconds longest_wait{std::chrono::days{1}};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// All of `text` as a number that is not negative.
std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Seconds, or a date.
std::optional<Milliseconds> wait_of(std::string_view text, const std::optional<WallTime>& now) {
    constexpr std::int64_t most = std::chrono::duration_cast<std::chrono::seconds>(longest_wait).count();
    if (const auto seconds = number(text)) return std::chrono::seconds{std::min(*seconds, most)};
    const auto date = http_date(text);
    if (!date || !now) return std::nullopt;
    return std::clamp(std::chrono::duration_cast<Milliseconds>(*date - *now), Milliseconds{0}, longest_wait);
}

bool is_name(std::string_view text, std::string_view lower_case) {
    return std::ranges::equal(text, lower_case, {}, http::lower);
}

}  // namespace

void HeadReader::take(std::string_view line) {
    if (line.starts_with("HTTP/")) {
        *this = {};
        const auto space = line.find(' ');
        if (space != std::string_view::npos)
            plain_.status = static_cast<int>(number(line.substr(space + 1, 3)).value_or(0));
        return;
    }
    if (trimmed(line).empty()) is_whole_ = true;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (is_name(name, "date")) plain_.date = http_date(value);
    if (is_name(name, "retry-after")) retry_after_ = value;
}

AnswerHead HeadReader::head() const {
    AnswerHead head = plain_;
    head.retry_after = wait_of(retry_after_, head.date);
    return head;
}

std::optional<WallTime> http_date(std::string_view text) {
    constexpr std::string_view form = "___, 00 ___ 0000 00:00:00 GMT";
    const auto fits = [](char c, char wanted) {
        if (wanted == '0') return c >= '0' && c <= '9';
        return wanted == '_' || c == wanted;
    };
    if (!std::ranges::equal(text, form, fits)) return std::nullopt;
    const auto digits = [&](std::size_t at, std::size_t count) { return *number(text.substr(at, count)); };
    const auto month = std::ranges::find(months, text.substr(8, 3)) - months.begin() + 1;
    const std::chrono::year_month_day day{std::chrono::year{static_cast<int>(digits(12, 4))},
                                          std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(digits(5, 2))}};
    constexpr std::int64_t leap_second = 60;
    if (!day.ok() || digits(17, 2) > 23 || digits(20, 2) > 59 || digits(23, 2) > leap_second)
        return std::nullopt;
    return std::chrono::sys_days{day} + std::chrono::hours{digits(17, 2)} +
           std::chrono::minutes{digits(20, 2)} + std::chrono::seconds{digits(23, 2)};
}

}  // namespace sluice::poller
