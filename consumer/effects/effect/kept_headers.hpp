#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/result.hpp"

namespace sluice::effects {

/// The headers of a record as event_payload keeps them, a JSON array of [name, value] pairs, in their order.
/// errc::unreadable_body for any other text. Values that were no UTF-8 are not what they were.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> kept_headers(std::string_view json);

}  // namespace sluice::effects
