#pragma once

#include <string_view>

namespace sluice::store {

/// What a message's body is written in. It says so itself: JSON is a mapping and begins with a brace, which
/// begins no message of ours in protobuf (it would be a group).
[[nodiscard]] constexpr bool is_json(std::string_view body) noexcept {
    return body.starts_with('{');
}

[[nodiscard]] constexpr std::string_view content_type_of(std::string_view body) noexcept {
    return is_json(body) ? "application/json" : "application/x-protobuf";
}

/// Of what is not JSON; there is no other.
inline constexpr std::string_view message_type = "sluice.v1.PaymentEvent";

}  // namespace sluice::store
