#pragma once

#include <string_view>

#include "common/webhook/gate/head.hpp"

namespace sluice::gate {

/// Has Beast read a head whose bytes are sound: method, target, version, fields, framing and whether the
/// connection may be kept; all of `head`, which has no fields yet, but what the bytes told before and the
/// fields tell afterwards. False: Beast refuses it, or the target is not one for us. Does not allocate.
[[nodiscard]] bool parse_head(std::string_view bytes, Head& head);

}  // namespace sluice::gate
