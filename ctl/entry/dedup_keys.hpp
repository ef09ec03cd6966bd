#pragma once

#include <string>
#include <vector>

#include "common/crypto/digest.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::ctl {

/// Every key that an event of this id can have under this configuration.
[[nodiscard]] std::vector<crypto::Digest> dedup_keys_of(const webhook::SourceSet& sources,
                                                        const std::string& id);

}  // namespace sluice::ctl
