#include "common/telemetry/log_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "common/printable.hpp"
#include "common/time_text.hpp"

namespace sluice {
namespace {

std::string_view text_of(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return "debug";
        case LogLevel::info:
            return "info";
        case LogLevel::warn:
            return "warn";
        case LogLevel::error:
            return "error";
    }
    return "error";
}

constexpr std::size_t longest_text = 256;   // before it is escaped
constexpr std::size_t longest_escaped = 6;  // of a byte: \u0000
constexpr std::size_t longest_number = 32;
constexpr std::size_t around_field = 6;   // ,"key":"text"
constexpr std::size_t around_line = 128;  // time, level, the keys of every line

std::size_t room_for(std::string_view text) {
    return std::min(text.size(), longest_text) * longest_escaped;
}

template <class Number>
std::size_t room_for(Number) {
    return longest_number;
}

std::size_t room_for(const LogField& field) {
    return field.key.size() + around_field +
           std::visit([](const auto& value) { return room_for(value); }, field.value);
}

/// Writes one piece after the other into room that is large enough for all of them.
class Pen {
public:
    explicit Pen(char* at) : at_{at} {}

    template <std::size_t size>
    Pen& words(const char (&literal)[size]) {
        return bytes(literal, size - 1);
    }
    Pen& words(std::string_view text) { return bytes(text.data(), text.size()); }
    Pen& time(WallTime time) {
        at_ = write_rfc3339(at_, time);
        return *this;
    }
    [[nodiscard]] char* end() const { return at_; }

    /// Keys are the program's own words: nothing in them needs escaping.
    Pen& field(const LogField& field) {
        if (field.key.empty()) return *this;
        words(",\"").words(field.key).words("\":");
        std::visit([this](const auto& value) { put(value); }, field.value);
        return *this;
    }

    Pen& put(std::string_view text) {
        words("\"");
        if (text.size() <= longest_text && is_plain_json(text))
            words(text);
        else
            words(json_escaped(text, longest_text));
        return words("\"");
    }

private:
    Pen& bytes(const char* text, std::size_t size) {
        if (size > 0) std::memcpy(at_, text, size);  // an empty view may point nowhere
        at_ += size;
        return *this;
    }

    template <class Number>
    void number(Number value) {
        at_ = std::to_chars(at_, at_ + longest_number, value).ptr;
    }

    void put(std::int64_t value) { number(value); }
    void put(bool truth) { words(truth ? std::string_view{"true"} : std::string_view{"false"}); }
    void put(double value) {
        if (std::isfinite(value))
            number(value);
        else
            words("null");
    }
    /// 12.345: milliseconds. The shortest digits of a double would cost as much as the rest of the line.
    void put(std::chrono::microseconds time) {
        const auto us = std::max<std::int64_t>(0, time.count());
        number(us / 1000);
        const auto digit = [us](int unit) { return static_cast<char>('0' + us / unit % 10); };
        const char fraction[] = {'.', digit(100), digit(10), digit(1)};
        bytes(fraction, sizeof fraction);
    }

    char* at_;
};

}  // namespace

std::string log_line(WallTime now, LogLevel level, std::string_view program, std::string_view decision,
                     std::initializer_list<LogField> fields) {
    std::string line;
    write_log_line(line, now, level, program, decision, fields);
    return line;
}

void write_log_line(std::string& line, WallTime now, LogLevel level, std::string_view program,
                    std::string_view decision, std::initializer_list<LogField> fields) {
    std::size_t room = around_line + room_for(program) + room_for(decision);
    for (const LogField& field : fields) room += room_for(field);
    line.resize_and_overwrite(room, [&](char* begin, std::size_t) {
        Pen pen{begin};
        pen.words("{\"time\":\"").time(now).words("\",\"level\":\"").words(text_of(level));
        pen.words("\",\"program\":").put(program).words(",\"decision\":").put(decision);
        for (const LogField& field : fields) pen.field(field);
        return pen.words("}\n").end() - begin;
    });
}

}  // namespace sluice
