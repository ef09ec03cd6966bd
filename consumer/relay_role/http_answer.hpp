#pragma once

#include <optional>
#include <string_view>

#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// What a receiver's status says of a message. 2xx takes it. 400, 409, 410, 411, 413, 415, 422 and 431 are
/// about this message, and refuse it. All others ask for another try: 408, 425, 429 and 5xx by their meaning,
/// and redirects (which are not followed), 401, 403 and 404, since the destination may not be what the file
/// says. `retry_after`: that header (RFC 9110, section 10.2.3), in seconds; at most an hour is waited.
[[nodiscard]] Sent judged(int status, std::string_view retry_after);

}  // namespace sluice::consumer
