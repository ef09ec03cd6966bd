#pragma once

#include <string>
#include <string_view>

#include "common/record/event_record.hpp"

/// The value of the header `sluice`: proto/event_header.proto, which says what each field may hold.
namespace sluice::record {

/// All that `event` says but its trace, which has headers of its own. Takes memory only where `text` has to
/// grow.
void append_packed(std::string& text, const EventHeaders& event);

/// False where `packed` is not what `append_packed` or a later version writes: malformed, a field that every
/// event has is missing, or a field is there twice. Then `event` is half written. Unknown fields are skipped.
/// Request headers are looked at in any case.
[[nodiscard]] bool read_packed(EventHeaders& event, std::string_view packed, HttpHeaders http);

/// The request header `name`, without its prefix, in a value that can be read.
[[nodiscard]] FoundHttp find_packed_http(std::string_view packed, std::string_view name);

}  // namespace sluice::record
