#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sluice::config {

/// The known key that `written` was most likely meant to be: at most a third of its letters (but
/// always one), and at most `most_slips`, wrong, missing, superfluous or swapped with a neighbour. Empty when
/// none is near.
[[nodiscard]] std::string_view nearest_key(std::string_view written, std::span<const std::string> known,
                                           std::size_t most_slips = std::string_view::npos);

/// The end of a sentence about an unknown key: `did you mean "brokers"?`, or the list of known ones after
/// `what`.
[[nodiscard]] std::string hint(std::string_view written, std::span<const std::string> known,
                               std::string_view what = "known keys: ");

}  // namespace sluice::config
