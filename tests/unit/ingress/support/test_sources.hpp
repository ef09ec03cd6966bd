#pragma once

#include <string>

#include "common/webhook/recipe/source.hpp"

namespace sluice::ingress {

inline const std::string test_secret = "whsec_unit_test";

/// One Stripe source, `stripe-eu`, whose secret is `test_secret`; `settings` are more lines of its entry
/// ("chunked: true, max_body: 2KiB"). Throws what is wrong with them.
[[nodiscard]] webhook::SourceSet test_sources(const std::string& settings = "");

}  // namespace sluice::ingress
