#pragma once

#include <optional>
#include <string>

#include "consumer/store/erasure/erasure.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// "erased 2026-11-23 12:04:09 by ada", and whether it was finished.
[[nodiscard]] std::string erased_text(const store::Erasure& erasure);
/// null: not erased.
[[nodiscard]] Json to_json(const std::optional<store::Erasure>& erasure);

}  // namespace sluice::ctl
