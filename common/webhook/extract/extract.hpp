#pragma once

#include <optional>
#include <string>

#include "common/record/event_record.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/extract/unread.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// Everything that a record's headers say about the event except trace, received_at and key_id, which
/// the caller fills.
struct Extracted {
    record::EventHeaders headers;
    std::string ordering_key;
};

/// Reads one event out of an authentic request: id, type, object, time, livemode, event day,
/// content digest, ordering key. Fails, saying which of them and where, with errc::unreadable_body (no JSON,
/// no such shape, an id that is not 1 to 255 bytes of printable ASCII, type over 128 bytes),
/// errc::duplicate_key, errc::missing_pointer, errc::out_of_range: authentic but unreadable, so quarantine
/// and success. An object's id over 255 bytes or with control characters is errc::unreadable_body as well.
/// `body_is_padded`: see JsonView::read_padded.
[[nodiscard]] Readable<Extracted> extract(const Source& source, const Request& request, JsonView& view,
                                          bool body_is_padded = false);

/// The same into an Extracted that is reused: text that fits is overwritten without allocating. After an
/// error `extracted` is half written. `known_livemode` is for an item whose delivery states it for the whole.
[[nodiscard]] Readable<void> extract_into(Extracted& extracted, const Source& source, const Request& request,
                                          JsonView& view, bool body_is_padded = false,
                                          std::optional<bool> known_livemode = {});

}  // namespace sluice::webhook
