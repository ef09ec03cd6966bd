#pragma once

#include <expected>
#include <string_view>

#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::gate {

/// Whether what Beast takes for a method is one: it knows no bound.
[[nodiscard]] std::expected<void, Refusal> check_method(std::string_view method);

/// Origin form alone (RFC 9112 section 3.2.1), of the bytes of RFC 3986. Beast takes any visible byte and any
/// above 0x7f.
[[nodiscard]] std::expected<void, Refusal> check_target(std::string_view target);

/// All rules of a request line without its CRLF (RFC 9112 section 3), to name the first that one breaks.
/// Whether it says HTTP/1.0 is told too.
[[nodiscard]] std::expected<void, Refusal> check_request_line(std::string_view line, bool& is_http_1_0);

}  // namespace sluice::gate
