#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice::config {

/// The known key that `written` was most likely meant to be: at most a third of its letters (but
/// always one) wrong, missing, superfluous or swapped with a neighbour. Empty when none is near.
[[nodiscard]] std::string_view nearest_key(std::string_view written, std::span<const std::string> known);

/// The end of a sentence about an unknown key: `did you mean "brokers"?`, or the list of known ones after
/// `what`.
[[nodiscard]] std::string hint(std::string_view written, std::span<const std::string> known,
                               std::string_view what = "known keys: ");

}  // namespace sluice::config
