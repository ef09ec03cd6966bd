#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "ingress/verify/recipe.hpp"

namespace sluice::verify {

/// A signature as the 32 bytes it stands for; nothing for text of another length or alphabet,
/// base64 that is not canonical included. Does not allocate.
[[nodiscard]] std::optional<crypto::Digest> candidate_from(std::string_view text, Encoding encoding);

/// The other way, for signing.
[[nodiscard]] std::string text_of(const crypto::Digest& digest, Encoding encoding);

}  // namespace sluice::verify
