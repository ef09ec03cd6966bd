#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/result.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::verify {

/// The headers that a provider would send with `body` at `now`, signed with the source's first key
/// that is live then; errc::unavailable when none is, when it is a public key, or when a parameter of
/// the target or a field of a form must take part. For `sluicectl send` and tests; the ingress
/// never signs.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> sign(const Source& source,
                                                                            std::string_view body,
                                                                            WallTime now);

}  // namespace sluice::verify
