#pragma once

#include <array>
#include <string_view>

namespace sluice::record {

/// EventHeaders::trust by the number that a packed record has for it (proto/event_header.proto). A separate
/// header says the word, and none for the first.
inline constexpr std::array<std::string_view, 5> trust_words{"", "none", "crc", "type", "api"};

}  // namespace sluice::record
