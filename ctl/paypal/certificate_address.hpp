#pragma once

#include <string>
#include <string_view>

#include "common/webhook/recipe/input.hpp"

namespace sluice::ctl {

/// The address of a certificate in a raw HTTP request, read from `file`: the one header that `place` names.
/// Throws Stopped(usage) when it is not there exactly once, or is no header.
[[nodiscard]] std::string address_in_request(std::string_view text, const std::string& file,
                                             const webhook::Input& place);

}  // namespace sluice::ctl
