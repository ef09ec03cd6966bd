#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// Standard Webhooks with the secrets of these files, one in each: "whsec_" and base64. Null without files.
/// Throws config::Refused when one cannot be used.
[[nodiscard]] std::shared_ptr<const webhook::Source> signing_source(const std::vector<std::string>& files,
                                                                    Console& console);

}  // namespace sluice::ctl
