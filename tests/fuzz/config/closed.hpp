#pragma once

#include <string>
#include <vector>

namespace sluice::fuzz {

/// The document once for each of its mappings that are closed, with a key more in that one. Mappings whose
/// keys are not ours are left out: librdkafka's properties, and sections that the fuzzed readers do not read.
/// None at all for documents with aliases, which may hold themselves.
[[nodiscard]] std::vector<std::string> with_one_more_key(const std::string& yaml);

/// Whether a mapping gives a key twice.
[[nodiscard]] bool has_twins(const std::string& yaml);

}  // namespace sluice::fuzz
