#include "common/webhook/extract/extract.hpp"

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "common/printable.hpp"
#include "common/record/source_keys.hpp"
#include "common/time_text.hpp"
#include "common/webhook/extract/content_digest.hpp"
#include "common/webhook/extract/decode.hpp"
#include "common/webhook/extract/livemode.hpp"
#include "common/webhook/extract/time_fields.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t longest_id = 255;
constexpr std::size_t longest_type = 128;
constexpr std::size_t longest_content_type = 255;

/// Text that must be there, 1 to `longest` bytes of printable ASCII.
Readable<std::string_view> required_text(FactReader& reader, const JsonView& view, std::string_view key,
                                         const Facts& facts, std::size_t longest) {
    const auto text = reader.text(facts);
    if (!text) return unread_text(text.error(), key, facts, reader, view);
    const auto wrong = [&](std::string_view what) {
        return unread(errc::unreadable_body, key, name_of(facts[reader.place()]), what);
    };
    if (text->empty()) return wrong("is empty");
    if (text->size() > longest) return wrong("has more than " + std::to_string(longest) + " bytes");
    if (!is_printable(*text)) return wrong("has other characters than those of printable ASCII");
    return *text;
}

/// The id in one place, empty when there is none: missing, null, of another type or empty.
Result<std::string_view> object_in(FactReader& reader, const JsonView& view, const ObjectField& field) {
    auto text = reader.text(field.value);
    const bool is_pointer = field.value.size() == 1 && field.value.front().from == Fact::From::pointer;
    if (!text && text.error() == errc::wrong_type && is_pointer) {
        text = view.string(field.expanded_id);
    }
    if (text) return *text;
    if (text.error() == errc::wrong_type || text.error() == errc::missing_pointer) return std::string_view{};
    return Failure{text.error()};
}

Readable<std::string_view> object_of(FactReader& reader, const JsonView& view,
                                     const std::vector<ObjectField>& order_by) {
    constexpr std::string_view key = "order_by";
    for (const ObjectField& field : order_by) {
        const auto text = object_in(reader, view, field);
        if (!text) return unread_text(text.error(), key, {field.value}, reader, view);
        if (text->empty()) continue;
        const auto wrong = [&](std::string_view what) {
            return unread(errc::unreadable_body, key, name_of(field.value), what);
        };
        if (text->size() > longest_id) return wrong("has more than " + std::to_string(longest_id) + " bytes");
        if (has_control_character(*text)) return wrong("has a control character");
        return *text;
    }
    return std::string_view{};
}

Readable<void> read_identity(Extracted& extracted, FactReader& reader, const JsonView& view,
                             const Program& program) {
    const Extraction& extraction = program.extraction;
    record::EventHeaders& headers = extracted.headers;
    const auto id = required_text(reader, view, "id", extraction.id, longest_id);
    if (!id) return NotReadable{id.error()};
    headers.event_id = *id;
    extracted.keys_stamp = record::stamp_up_to(program.keys_stamp, reader.place());
    const auto type = required_text(reader, view, "type", extraction.type, longest_type);
    if (!type) return NotReadable{type.error()};
    headers.type = *type;
    const auto object = object_of(reader, view, extraction.order_by);
    if (!object) return NotReadable{object.error()};
    headers.object = *object;
    return {};
}

Readable<void> read_times(record::EventHeaders& headers, FactReader& reader, const JsonView& view,
                          const Extraction& extraction) {
    headers.event_day = record::undated;
    const auto time = first_time(reader, view, extraction.time);
    // The time is for people. Only the day decides something, so only its form can make a body unreadable.
    if (!time && (extraction.day_is_time || time.error() == errc::duplicate_key))
        return unread_time(time.error(), "time", extraction.time, reader, view);
    headers.occurred_at = time ? *time : std::nullopt;
    if (extraction.day.empty()) return {};
    const auto day = extraction.day_is_time ? Result<std::optional<WallTime>>{headers.occurred_at}
                                            : first_time(reader, view, extraction.day);
    if (!day) return unread_time(day.error(), "day", extraction.day, reader, view);
    if (*day) headers.event_day = day_of(**day);
    return {};
}

/// Keeps what the request's own headers say: enough to verify it again later.
void keep_request_headers(record::EventHeaders& headers, const Program& program, const Request& request) {
    const auto content_type = find_header(request.headers, "Content-Type");
    const bool is_usable = content_type && !content_type->empty() &&
                           content_type->size() <= longest_content_type && is_printable(*content_type);
    headers.content_type = is_usable ? *content_type : std::string_view{"application/json"};
    std::size_t kept = 0;
    headers.http.resize(program.headers.size());
    for (std::size_t i = 0; i < program.headers.size(); ++i) {
        const auto value = find_header(request.headers, program.headers[i]);
        if (!value) continue;
        headers.http[kept].first.assign(program.recorded_headers[i]);
        headers.http[kept++].second = *value;
    }
    headers.http.resize(kept);
}

}  // namespace

Readable<void> extract_into(Extracted& extracted, const Source& source, const Request& request,
                            JsonView& view, bool body_is_padded, std::optional<bool> known_livemode) {
    const Extraction& extraction = source.program->extraction;
    record::EventHeaders& headers = extracted.headers;

    const auto readable = decode(source, request.body, view, body_is_padded);
    if (!readable) return unread_body(readable.error(), source, request.body, view);
    FactReader reader(request, view);
    if (const auto read = read_identity(extracted, reader, view, *source.program); !read) return read;
    if (const auto read = read_times(headers, reader, view, extraction); !read) return read;
    const auto livemode = known_livemode ? Result<bool>{*known_livemode} : livemode_of(view, extraction);
    if (!livemode) return unread_livemode(livemode.error(), extraction, view);
    headers.livemode = *livemode;
    const auto digest = extraction.fields_digest ? fields_digest(*extraction.fields_digest, request.body)
                                                 : content_digest(extraction.digest, headers.event_id, view);
    if (!digest) return unread_digest(digest.error(), extraction, view);

    headers.source = source.name;
    headers.provider = source.provider;
    headers.principal = source.principal;
    headers.trust = source.trust == Trust::full ? std::string_view{} : name_of(source.trust);
    headers.content_digest = *digest;
    headers.dedup_key =
        record::dedup_key(source.provider, source.principal, headers.livemode, headers.event_id);
    keep_request_headers(headers, *source.program, request);
    extracted.ordering_key = record::ordering_key(source.provider, source.principal,
                                                  headers.object.empty() ? headers.event_id : headers.object);
    return {};
}

Readable<Extracted> extract(const Source& source, const Request& request, JsonView& view,
                            bool body_is_padded) {
    Extracted extracted;
    auto read = extract_into(extracted, source, request, view, body_is_padded);
    if (!read) return NotReadable{std::move(read.error())};
    return extracted;
}

}  // namespace sluice::webhook
