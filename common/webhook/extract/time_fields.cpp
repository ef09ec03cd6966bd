#include "common/webhook/extract/time_fields.hpp"

#include <algorithm>
#include <chrono>
#include <format>
#include <string>

#include "common/error.hpp"
#include "common/time_text.hpp"
#include "common/webhook/extract/livemode.hpp"
#include "common/webhook/http/digits.hpp"

namespace sluice::webhook {

namespace {

constexpr std::int64_t last_second = 253'402'300'799;  // 9999-12-31T23:59:59Z, the last in RFC 3339

Result<std::int64_t> digits_in(std::string_view text) {
    const auto count = plain_digits(text, 15);
    if (!count) return Failure{errc::wrong_type};
    return *count;
}

constexpr bool is_sayable(std::chrono::seconds since_1970) {
    return since_1970.count() >= 0 && since_1970.count() <= last_second;
}

Result<WallTime> unix_time(Result<std::int64_t> count, bool is_milliseconds) {
    if (!count) return Failure{as_unreadable(count.error())};
    const auto since_1970 = is_milliseconds ? std::chrono::milliseconds{*count}
                                            : std::chrono::milliseconds{std::chrono::seconds{
                                                  std::clamp<std::int64_t>(*count, -1, last_second + 1)}};
    if (!is_sayable(std::chrono::floor<std::chrono::seconds>(since_1970))) return Failure{errc::out_of_range};
    return WallTime{since_1970};
}

/// "2026-11-21 18:46:31", as the clocks of one country show it.
std::string with_zone(std::string_view text, std::string_view zone) {
    constexpr std::size_t behind_day = 10;
    std::string whole{text};
    if (whole.size() > behind_day && whole[behind_day] == ' ') whole[behind_day] = 'T';
    return whole.append(zone);
}

/// "20261121184631" as RFC 3339 without a zone; empty for anything but 14 digits.
std::string spread(std::string_view text) {
    constexpr std::size_t compact_size = 14;
    if (text.size() != compact_size || !plain_digits(text, compact_size)) return {};
    return std::format("{}-{}-{}T{}:{}:{}", text.substr(0, 4), text.substr(4, 2), text.substr(6, 2),
                       text.substr(8, 2), text.substr(10, 2), text.substr(12, 2));
}

}  // namespace

Result<WallTime> time_in(std::string_view given, const TimeField& field) {
    const std::string own = field.as_compact ? spread(given) : std::string{};
    const std::string_view text = field.as_compact ? std::string_view{own} : given;
    if (!field.as_rfc3339 && !field.as_compact) return unix_time(digits_in(text), field.as_unix_ms);
    const auto time = field.zone.empty() ? from_rfc3339(text) : from_rfc3339(with_zone(text, field.zone));
    if (!time) return Failure{errc::unreadable_body};
    if (!is_sayable(std::chrono::floor<std::chrono::seconds>(time->time_since_epoch()))) {
        return Failure{errc::out_of_range};
    }
    return *time;
}

Result<WallTime> time_in(std::int64_t number, const TimeField& field) {
    if (!field.as_unix && !field.as_unix_ms) return Failure{errc::unreadable_body};
    return unix_time(number, field.as_unix_ms);
}

namespace {

Result<std::optional<WallTime>> time_in_text(FactReader& reader, const TimeField& field) {
    const auto text = reader.text(field.at);
    if (!text && text.error() == errc::missing_pointer) return std::nullopt;
    if (!text) return Failure{as_unreadable(text.error())};
    if (text->empty() && !field.zone.empty()) return std::nullopt;
    return time_in(*text, field);
}

/// Nothing where the field is missing or null.
Result<std::optional<WallTime>> time_at(FactReader& reader, const JsonView& view, const TimeField& field) {
    if (field.at.from != Fact::From::pointer) return time_in_text(reader, field);
    const auto type = view.type(field.at.pointer);
    if (!type && type.error() == errc::missing_pointer) return std::nullopt;
    if (!type) return Failure{type.error()};
    if (*type == JsonType::null) return std::nullopt;
    if (*type == JsonType::string) {
        if (!field.as_rfc3339 && !field.as_compact && !field.at.integer)
            return Failure{errc::unreadable_body};
        return time_in_text(reader, field);
    }
    if (!field.as_unix && !field.as_unix_ms) return Failure{errc::unreadable_body};
    return unix_time(view.integer(field.at.pointer), field.as_unix_ms);
}

}  // namespace

Result<std::optional<WallTime>> first_time(FactReader& reader, const JsonView& view,
                                           const std::vector<TimeField>& fields) {
    Result<std::optional<WallTime>> time = std::nullopt;
    for (const TimeField& field : fields) {
        time = time_at(reader, view, field);
        if (!time || *time) break;
    }
    return time;
}

}  // namespace sluice::webhook
