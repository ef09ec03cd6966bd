#include "common/record/packed_values.hpp"

#include <algorithm>
#include <utility>

#include "proto/event_header.pb.h"

namespace sluice::record {
namespace {

using google::protobuf::Timestamp;
using HttpWire = v1::EventHeader::HttpField;
using std::chrono::sys_days;
using std::chrono::year;

// What the separate headers can say.
constexpr sys_days first_day{year{0} / 1 / 1};
constexpr sys_days day_after_last{year{10'000} / 1 / 1};

std::optional<std::pair<std::int64_t, std::uint64_t>> seconds_and_nanos(std::string_view message) {
    std::pair<std::int64_t, std::uint64_t> said{};
    WireFields in{message};
    while (const auto field = in.next()) {
        const bool is_seconds = field->number == Timestamp::kSecondsFieldNumber;
        if (!is_seconds && field->number != Timestamp::kNanosFieldNumber) continue;
        if (field->kind != WireField::Kind::number) return std::nullopt;
        if (is_seconds)
            said.first = static_cast<std::int64_t>(field->value);
        else
            said.second = field->value;
    }
    return in.was_whole() ? std::optional{said} : std::nullopt;
}

}  // namespace

std::optional<HttpView> packed_http(std::string_view message) {
    HttpView http;
    WireFields in{message};
    while (const auto field = in.next()) {
        const bool is_name = field->number == HttpWire::kNameFieldNumber;
        if (!is_name && field->number != HttpWire::kValueFieldNumber) continue;
        if (field->kind != WireField::Kind::text) return std::nullopt;
        (is_name ? http.name : http.value) = field->text;
    }
    return in.was_whole() ? std::optional{http} : std::nullopt;
}

std::optional<WallTime> packed_time(std::string_view message) {
    constexpr std::int64_t first = first_day.time_since_epoch() / std::chrono::seconds{1};
    constexpr std::int64_t after_last = day_after_last.time_since_epoch() / std::chrono::seconds{1};
    constexpr std::uint64_t nanos_of_a_second = 1'000'000'000;
    const auto said = seconds_and_nanos(message);
    if (!said) return std::nullopt;
    const auto [seconds, nanos] = *said;
    if (seconds < first || seconds >= after_last || nanos >= nanos_of_a_second) return std::nullopt;
    return WallTime{std::chrono::seconds{seconds} +
                    std::chrono::microseconds{static_cast<std::int64_t>(nanos / 1000)}};
}

std::optional<crypto::Digest> packed_digest(std::string_view bytes) {
    crypto::Digest digest{};
    if (bytes.size() != digest.size()) return std::nullopt;
    std::ranges::copy(bytes, digest.begin());
    return digest;
}

std::optional<sys_days> packed_day(std::uint64_t days) {
    const auto day = static_cast<std::int64_t>(days);
    if (day < first_day.time_since_epoch().count() || day >= day_after_last.time_since_epoch().count())
        return std::nullopt;
    return sys_days{std::chrono::days{day}};
}

}  // namespace sluice::record
