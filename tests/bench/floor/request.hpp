#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

/// The composite floor: the ingress's work with nothing around it. Not safe against hostile peers.
namespace sluice::bench {

/// One request of the load generator. The views are of the buffer it was read from.
struct Request {
    std::string_view signature;  ///< value of Stripe-Signature
    std::string_view body;
    std::size_t size = 0;  ///< head and body
};

/// Nothing until head and body are complete. Throws std::invalid_argument on anything but a POST with
/// Content-Length.
[[nodiscard]] std::optional<Request> read_request(std::string_view bytes);

}  // namespace sluice::bench
