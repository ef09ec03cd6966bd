#include <algorithm>
#include <array>
#include <limits>

#include "common/record/packed_header.hpp"
#include "common/record/packed_values.hpp"
#include "common/record/trust_words.hpp"
#include "common/utf8.hpp"
#include "proto/event_header.pb.h"

namespace sluice::record {
namespace {

using Wire = v1::EventHeader;

constexpr auto of_text = WireField::Kind::text;
constexpr auto of_number = WireField::Kind::number;

/// Each takes the value into its field and says whether it may be there.
using TakeField = bool (*)(EventHeaders&, const WireField&);

template <std::string EventHeaders::* member>
bool take_text(EventHeaders& event, const WireField& field) {
    (event.*member).assign(field.text);
    return is_utf8(field.text);
}

template <std::string EventHeaders::* member>
bool take_name(EventHeaders& event, const WireField& field) {
    return take_text<member>(event, field) && !field.text.empty();
}

template <crypto::Digest EventHeaders::* member>
bool take_digest(EventHeaders& event, const WireField& field) {
    const auto digest = packed_digest(field.text);
    if (digest) event.*member = *digest;
    return digest.has_value();
}

bool take_livemode(EventHeaders& event, const WireField& field) {
    event.livemode = field.value == 1;
    return field.value <= 1;
}

bool take_object(EventHeaders& event, const WireField& field) {
    event.object.assign(field.text);
    return true;
}

bool take_occurred_at(EventHeaders& event, const WireField& field) {
    event.occurred_at = packed_time(field.text);
    return event.occurred_at.has_value();
}

bool take_received_at(EventHeaders& event, const WireField& field) {
    const auto time = packed_time(field.text);
    if (time) event.received_at = *time;
    return time.has_value();
}

bool take_event_day(EventHeaders& event, const WireField& field) {
    const auto day = packed_day(field.value);
    if (day) event.event_day = *day;
    return day.has_value();
}

bool take_trust(EventHeaders& event, const WireField& field) {
    if (field.value >= trust_words.size()) return false;
    event.trust.assign(trust_words[field.value]);
    return true;
}

bool take_item(EventHeaders& event, const WireField& field) {
    event.item = static_cast<std::uint32_t>(field.value);
    return field.value <= std::numeric_limits<std::uint32_t>::max();
}

bool take_original(EventHeaders& event, const WireField& field) {
    event.original = packed_digest(field.text);
    return event.original.has_value();
}

struct PackedField {
    int number;
    WireField::Kind kind;
    TakeField take;
    bool required;
};

constexpr std::array packed_fields{
    PackedField{Wire::kSourceFieldNumber, of_text, take_name<&EventHeaders::source>, true},
    PackedField{Wire::kProviderFieldNumber, of_text, take_name<&EventHeaders::provider>, true},
    PackedField{Wire::kPrincipalFieldNumber, of_text, take_name<&EventHeaders::principal>, true},
    PackedField{Wire::kLivemodeFieldNumber, of_number, take_livemode, true},
    PackedField{Wire::kEventIdFieldNumber, of_text, take_name<&EventHeaders::event_id>, true},
    PackedField{Wire::kTypeFieldNumber, of_text, take_name<&EventHeaders::type>, true},
    PackedField{Wire::kObjectFieldNumber, of_text, take_object, false},
    PackedField{Wire::kOccurredAtFieldNumber, of_text, take_occurred_at, false},
    PackedField{Wire::kReceivedAtFieldNumber, of_text, take_received_at, true},
    PackedField{Wire::kContentTypeFieldNumber, of_text, take_text<&EventHeaders::content_type>, true},
    PackedField{Wire::kDedupKeyFieldNumber, of_text, take_digest<&EventHeaders::dedup_key>, true},
    PackedField{Wire::kContentDigestFieldNumber, of_text, take_digest<&EventHeaders::content_digest>, true},
    PackedField{Wire::kEventDayFieldNumber, of_number, take_event_day, true},
    PackedField{Wire::kKeyIdFieldNumber, of_text, take_text<&EventHeaders::key_id>, true},
    PackedField{Wire::kKeysFieldNumber, of_text, take_name<&EventHeaders::keys>, false},
    PackedField{Wire::kTrustFieldNumber, of_number, take_trust, false},
    PackedField{Wire::kItemFieldNumber, of_number, take_item, false},
    PackedField{Wire::kOriginalFieldNumber, of_text, take_original, false},
    PackedField{Wire::kClientFieldNumber, of_text, take_text<&EventHeaders::client>, false},
};

using SeenFields = std::array<bool, packed_fields.size()>;

bool take_field(EventHeaders& event, const WireField& field, SeenFields& seen) {
    const auto known = std::ranges::find(packed_fields, field.number, &PackedField::number);
    if (known == packed_fields.end()) return true;
    bool& before = seen[static_cast<std::size_t>(known - packed_fields.begin())];
    if (before || field.kind != known->kind) return false;
    before = true;
    return known->take(event, field);
}

bool take_http_field(EventHeaders& event, const WireField& field, HttpHeaders wanted) {
    const auto http = packed_http(field.text);
    if (!http || field.kind != of_text) return false;
    if (wanted == HttpHeaders::read) event.http.emplace_back(http->name, http->value);
    return true;
}

bool has_all_required_fields(const SeenFields& seen) {
    for (std::size_t i = 0; i < packed_fields.size(); ++i) {
        if (packed_fields[i].required && !seen[i]) return false;
    }
    return true;
}

}  // namespace

bool read_packed(EventHeaders& event, std::string_view packed, HttpHeaders http) {
    SeenFields seen{};
    WireFields in{packed};
    while (const auto field = in.next()) {
        const bool is_good = field->number == Wire::kHttpFieldNumber ? take_http_field(event, *field, http)
                                                                     : take_field(event, *field, seen);
        if (!is_good) return false;
    }
    return in.was_whole() && has_all_required_fields(seen);
}

FoundHttp find_packed_http(std::string_view packed, std::string_view name) {
    FoundHttp found;
    WireFields in{packed};
    while (const auto field = in.next()) {
        if (field->number != Wire::kHttpFieldNumber) continue;
        const auto http = packed_http(field->text);
        if (!http || http->name != name) continue;
        if (found.count++ == 0) found.value = http->value;
    }
    return found;
}

}  // namespace sluice::record
