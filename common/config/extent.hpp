#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <yaml-cpp/mark.h>

namespace sluice::config {

/// The largest configuration file; a ConfigMap of Kubernetes holds no more either.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 20;
/// The most that it may stand for with every alias written out, 16 bytes for each value and its text.
inline constexpr std::size_t most_written_out = std::size_t{4} << 20;
/// The deepest that values may lie in each other, aliases written out.
inline constexpr std::size_t deepest_value = 32;

struct Excess {
    YAML::Mark mark;       ///< where the bound is passed
    std::string sentence;  ///< which one
};

/// Whether a YAML text is too much to be built and walked: an alias costs its reader all that it stands for,
/// and one that stands for a value around it never ends. Looks at the text's events only, before any node
/// is made. Throws YAML::Exception when it is no YAML.
[[nodiscard]] std::optional<Excess> excess_of(const std::string& text);

}  // namespace sluice::config
