#pragma once

#include <span>
#include <string>

#include "common/config/section.hpp"
#include "common/crypto/digest.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::effects {

/// Of what `effects:` says, with the accounts that the sources it names stand for and what is known of the
/// C++ that its effects run (Effect::code), in file order: equal where the same events have the same effects.
/// Comments, quotes and the order of keys make no difference; the order of effects does.
[[nodiscard]] crypto::Digest digest_of(const config::Value& effects, const webhook::SourceSet& sources,
                                       std::span<const std::string> code = {});

}  // namespace sluice::effects
