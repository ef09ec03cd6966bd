#pragma once

#include <string>
#include <string_view>

namespace sluice::ctl {

/// A message's body as text: JSON as it is, a PaymentEvent in protobuf's JSON with digests in hex, and with
/// the provider's body as JSON where it is that, so that masks see into it. Anything else is what it is.
/// Pure; not masked.
[[nodiscard]] std::string readable_body(std::string_view body);

}  // namespace sluice::ctl
