#pragma once

#include <string>
#include <string_view>

#include "common/trace/span.hpp"

/// OTLP 1.x in its JSON encoding (https://opentelemetry.io/docs/specs/otlp/): ids in hex, 64-bit numbers as
/// text. Pure.
namespace sluice::trace {

/// One element of `spans`. Text from outside is escaped and cut at 256 bytes; only the first 64 links are
/// written.
void append_otlp_span(std::string& json, const Span& span);

/// The sender.
struct Resource {
    std::string_view service;  ///< "sluice-ingress"
    std::string_view version;
    std::string_view instance;  ///< tells processes of one service apart
};

/// The body of one request; `spans` are elements with a comma between each two.
[[nodiscard]] std::string otlp_request(const Resource& resource, std::string_view spans);

}  // namespace sluice::trace
