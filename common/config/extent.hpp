#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <yaml-cpp/mark.h>

namespace sluice::config {

/// The largest configuration file; a Kubernetes ConfigMap holds no more either.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 20;
/// The most that it may expand to, counting 16 bytes for each value plus its text.
inline constexpr std::size_t most_written_out = std::size_t{4} << 20;
/// The deepest nesting of values, aliases expanded.
inline constexpr std::size_t deepest_value = 32;

struct Excess {
    YAML::Mark mark;       ///< where the bound is exceeded
    std::string sentence;  ///< which one
};

/// Whether a YAML text is too large to build and walk: an alias costs its reader all that it expands to, and
/// an alias of a value that contains it never ends. Reads the text's events only, before any node is made.
/// Throws YAML::Exception when it is not YAML.
[[nodiscard]] std::optional<Excess> excess_of(const std::string& text);

}  // namespace sluice::config
