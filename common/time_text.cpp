#include "common/time_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace sluice {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;

/// Parses a text from the left; each step says whether its part was there.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_{text} {}

    bool digits(std::size_t count, int& value) {
        if (rest_.size() < count) return false;
        value = 0;
        for (const char c : rest_.substr(0, count)) {
            if (!is_digit(c)) return false;
            value = value * 10 + (c - '0');
        }
        rest_.remove_prefix(count);
        return true;
    }

    bool one_of(std::string_view allowed, char* found = nullptr) {
        if (rest_.empty() || allowed.find(rest_.front()) == std::string_view::npos) return false;
        if (found != nullptr) *found = rest_.front();
        rest_.remove_prefix(1);
        return true;
    }

    /// Up to nine digits of a fraction of a second; what is finer than a microsecond is cut off.
    bool fraction(microseconds& value) {
        std::size_t count = 0;
        std::int64_t nanos = 0;
        for (; count < rest_.size() && is_digit(rest_[count]); ++count) {
            if (count == 9) return false;
            nanos = nanos * 10 + (rest_[count] - '0');
        }
        if (count == 0) return false;
        for (auto i = count; i < 9; ++i) nanos *= 10;
        rest_.remove_prefix(count);
        value = microseconds{nanos / 1000};
        return true;
    }

    [[nodiscard]] bool done() const { return rest_.empty(); }

private:
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    std::string_view rest_;
};

std::optional<sys_days> scan_day(Scanner& in) {
    int year = 0;
    int month = 0;
    int day = 0;
    if (!in.digits(4, year) || !in.one_of("-") || !in.digits(2, month) || !in.one_of("-") ||
        !in.digits(2, day)) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok()) return std::nullopt;
    return sys_days{date};
}

std::optional<minutes> scan_offset(Scanner& in) {
    char sign = 0;
    if (in.one_of("Zz")) return minutes{0};
    int hour = 0;
    int minute = 0;
    if (!in.one_of("+-", &sign) || !in.digits(2, hour) || !in.one_of(":") || !in.digits(2, minute)) {
        return std::nullopt;
    }
    if (hour > 23 || minute > 59) return std::nullopt;
    const auto offset = hours{hour} + minutes{minute};
    return sign == '-' ? -offset : offset;
}

/// Writes texts of a fixed length from the left. A record or a log line cannot hold years before 0 or after
/// 9999: only their last digits are written.
template <std::size_t length>
class Writer {
public:
    template <std::size_t count>
    Writer& digits(std::int64_t number) {
        for (std::size_t i = count; i > 0; number /= 10)
            text_[at_ + --i] = static_cast<char>('0' + number % 10);
        at_ += count;
        return *this;
    }
    Writer& mark(char c) {
        text_[at_++] = c;
        return *this;
    }
    Writer& text(std::string_view text) {
        std::ranges::copy(text, text_.data() + at_);
        at_ += text.size();
        return *this;
    }
    Writer& day(sys_days day) {
        const std::chrono::year_month_day date{day};
        digits<4>(static_cast<int>(date.year())).mark('-');
        return digits<2>(static_cast<unsigned>(date.month()))
            .mark('-')
            .template digits<2>(static_cast<unsigned>(date.day()));
    }
    [[nodiscard]] std::string_view written() const { return {text_.data(), at_}; }
    void append_to(std::string& text) const { text.append(written()); }
    char* copy_to(char* room) const { return std::ranges::copy_n(text_.data(), length, room).out; }

private:
    std::array<char, length> text_;
    std::size_t at_ = 0;
};

/// An offset can move a time of the first or the last year to a year that needs five digits, or a sign.
bool is_sayable(WallTime t) {
    using std::chrono::year;
    return t >= sys_days{year{0} / 1 / 1} && t < sys_days{year{10'000} / 1 / 1};
}

std::int64_t milliseconds_in(std::string_view unit) {
    if (unit == "ms") return 1;
    if (unit == "s") return 1'000;
    if (unit == "m") return 60'000;
    if (unit == "h") return 3'600'000;
    if (unit == "d") return 86'400'000;
    return 0;
}

constexpr std::size_t second_size = std::string_view{"2026-11-21T19:03:22."}.size();

Writer<second_size> up_to_fraction(std::chrono::sys_seconds second) {
    const auto day = std::chrono::floor<days>(second);
    const std::chrono::hh_mm_ss time{second - day};
    Writer<second_size> writer;
    writer.day(day).mark('T').digits<2>(time.hours().count());
    writer.mark(':').digits<2>(time.minutes().count());
    writer.mark(':').digits<2>(time.seconds().count()).mark('.');
    return writer;
}

/// Most times are of the same second as the one before.
Writer<rfc3339_size> in_rfc3339(WallTime t) {
    const auto second = std::chrono::floor<seconds>(t);
    thread_local auto last = second;
    thread_local auto text = up_to_fraction(second);
    if (second != last) text = up_to_fraction(last = second);
    Writer<rfc3339_size> writer;
    return writer.text(text.written()).digits<6>((t - second).count()).mark('Z');
}

}  // namespace

std::string to_rfc3339(WallTime t) {
    std::string text;
    append_rfc3339(text, t);
    return text;
}

void append_rfc3339(std::string& text, WallTime t) {
    in_rfc3339(t).append_to(text);
}

char* write_rfc3339(char* room, WallTime t) {
    return in_rfc3339(t).copy_to(room);
}

std::optional<WallTime> from_rfc3339(std::string_view text) {
    Scanner in{text};
    int hour = 0;
    int minute = 0;
    int second = 0;
    const auto day = scan_day(in);
    if (!day || !in.one_of("Tt") || !in.digits(2, hour) || !in.one_of(":") || !in.digits(2, minute) ||
        !in.one_of(":") || !in.digits(2, second)) {
        return std::nullopt;
    }
    microseconds fraction{0};
    if (in.one_of(".") && !in.fraction(fraction)) return std::nullopt;
    const auto offset = scan_offset(in);
    if (!offset || !in.done() || hour > 23 || minute > 59 || second > 60) return std::nullopt;

    const auto to_the_minute = *day + hours{hour} + minutes{minute} - *offset;
    // A leap second ends a UTC day; the system's clock knows none, so it counts as the next second.
    if (second == 60 && to_the_minute != std::chrono::floor<days>(to_the_minute) + hours{23} + minutes{59}) {
        return std::nullopt;
    }
    const WallTime instant = to_the_minute + seconds{second} + fraction;
    return is_sayable(instant) ? std::optional{instant} : std::nullopt;
}

std::string to_text(sys_days day) {
    std::string text;
    append_day(text, day);
    return text;
}

void append_day(std::string& text, sys_days day) {
    Writer<10>{}.day(day).append_to(text);
}

std::optional<sys_days> day_from_text(std::string_view text) {
    Scanner in{text};
    const auto day = scan_day(in);
    return in.done() ? day : std::nullopt;
}

sys_days day_of(WallTime t) {
    return std::chrono::floor<days>(t);
}

std::optional<std::chrono::milliseconds> duration_from_text(std::string_view text) {
    std::int64_t count = 0;
    if (text.empty() || text.front() == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{}) return std::nullopt;
    const auto unit = milliseconds_in(text.substr(static_cast<std::size_t>(end - text.data())));
    if (unit == 0 || count > std::numeric_limits<std::int64_t>::max() / unit) return std::nullopt;
    return std::chrono::milliseconds{count * unit};
}

}  // namespace sluice
