#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/record/event_record.hpp"

namespace sluice::record {

/// A record's headers as people and archives have them: a header `sluice` as the separate headers that say
/// the same, then the others in their order. As they are where there is none, or one that cannot be read.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> separated(std::span<const HeaderView> headers);

}  // namespace sluice::record
