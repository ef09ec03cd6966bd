#pragma once

#include <source_location>
#include <string_view>

namespace sluice::fuzz {

/// A promise that every input keeps. Says which one is broken, and by what, and ends the process the way
/// libFuzzer takes for a finding.
void require(bool holds, std::string_view promise, std::string_view detail = {},
             std::source_location where = std::source_location::current());

}  // namespace sluice::fuzz
