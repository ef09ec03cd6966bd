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
#include "common/webhook/extract/object.hpp"
#include "common/webhook/extract/time_fields.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

namespace {

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

Readable<void> read_identity(Extracted& extracted, FactReader& reader, const JsonView& view,
                             const Program& program) {
    const Extraction& extraction = program.extraction;
    record::EventHeaders& headers = extracted.headers;
    const auto id = required_text(reader, view, "id", extraction.id, longest_id);
    if (!id) return NotReadable{id.error()};
    headers.event_id = *id;
    headers.keys = record::stamp_up_to(program.keys_stamp, reader.place());
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
    record::write_ordering_key(extracted.ordering_key, source.provider, source.principal,
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
