#pragma once

#include <string>

namespace sluice::ingress {

/// What decides whether something changed: a digest over the file, every secret file that its sources name,
/// and the certificates in every folder that they name. Content, not times: Kubernetes swaps links.
/// Unreadable files count as empty.
[[nodiscard]] std::string content_fingerprint(const std::string& file);

}  // namespace sluice::ingress
