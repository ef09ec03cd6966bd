#pragma once

#include <string_view>

namespace sluice::fuzz {

/// The part of the gate's promises that concerns chunked bodies, for these bytes.
void try_chunks(std::string_view wire);

}  // namespace sluice::fuzz
