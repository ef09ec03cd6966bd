#pragma once

#include <string>
#include <string_view>

namespace sluice::ingress {

/// What decides whether something changed: a digest over the file, every secret file that its `list` names,
/// and the certificates in every folder that it names. Content, not times: Kubernetes swaps links.
/// Unreadable files count as empty.
[[nodiscard]] std::string content_fingerprint(const std::string& file, std::string_view list = "sources");

}  // namespace sluice::ingress
