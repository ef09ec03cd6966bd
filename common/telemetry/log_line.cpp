#include "common/telemetry/log_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

/// Keys are the program's own words: nothing in them needs escaping.
void append_key(std::string& line, std::string_view key) {
    line += ",\"";
    line += key;
    line += "\":";
}

void append_value(std::string& line, std::string_view text) {
    line += '"';
    append_json_escaped(line, text);
    line += '"';
}

template <class Number>
void append_number(std::string& line, Number number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    line.append(digits.data(), end);
}

void append_value(std::string& line, std::int64_t number) {
    append_number(line, number);
}

void append_value(std::string& line, double number) {
    if (std::isfinite(number)) {
        append_number(line, number);
    } else {
        line += "null";
    }
}

/// 12.345: milliseconds. The shortest digits of a double would cost as much as the rest of the line.
void append_value(std::string& line, std::chrono::microseconds time) {
    const auto us = std::max<std::int64_t>(0, time.count());
    append_number(line, us / 1000);
    const auto digit = [us](int unit) { return static_cast<char>('0' + us / unit % 10); };
    line.append({'.', digit(100), digit(10), digit(1)});
}

void append_value(std::string& line, bool truth) {
    line += truth ? "true" : "false";
}

}  // namespace

std::string log_line(WallTime now, LogLevel level, std::string_view program, std::string_view decision,
                     std::initializer_list<LogField> fields) {
    std::string line;
    write_log_line(line, now, level, program, decision, fields);
    return line;
}

void write_log_line(std::string& line, WallTime now, LogLevel level, std::string_view program,
                    std::string_view decision, std::initializer_list<LogField> fields) {
    line = "{\"time\":\"";
    append_rfc3339(line, now);
    line += '"';
    append_key(line, "level");
    append_value(line, text_of(level));
    append_key(line, "program");
    append_value(line, program);
    append_key(line, "decision");
    append_value(line, decision);
    for (const LogField& field : fields) {
        if (field.key.empty()) continue;
        append_key(line, field.key);
        std::visit([&line](const auto& value) { append_value(line, value); }, field.value);
    }
    line += "}\n";
}

}  // namespace sluice
