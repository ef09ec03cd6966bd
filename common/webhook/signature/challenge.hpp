#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// 20 to 32 lower-case hex digits.
[[nodiscard]] bool is_challenge(std::string_view text) noexcept;

/// What a provider expects when it checks whether an address is ours: <id of a key>|<hex of the
/// HMAC-SHA1 of the challenge in the target's query>, by the source's first live key. Nothing when the
/// source's recipe knows no challenge, when there is none, or two, or one that is no challenge, and when no
/// key is live.
[[nodiscard]] std::optional<std::string> answer_challenge(const Source& source, std::string_view target,
                                                          WallTime now);

}  // namespace sluice::webhook
