#pragma once

#include <map>
#include <string>
#include <string_view>

#include "common/config/section.hpp"

namespace sluice::config {

/// Why the protocol does not let `kafka.options` set this librdkafka property; empty when it may be
/// set. A property that librdkafka does not know is found when its client is made.
[[nodiscard]] std::string_view why_fixed(std::string_view property);

/// The mapping under `key`, property by property, without the refused ones.
[[nodiscard]] std::map<std::string, std::string> read_librdkafka_options(Section& section,
                                                                         std::string_view key);

}  // namespace sluice::config
