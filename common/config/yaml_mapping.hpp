#pragma once

#include <string>

#include <yaml-cpp/yaml.h>

namespace sluice::config {

/// A YAML mapping that can be walked, recursively too. Throws Refused when the text cannot be read, is not a
/// YAML mapping (with line and column) or is too large (common/config/extent.hpp). `name` is the file's name
/// in messages.
[[nodiscard]] YAML::Node mapping_from_text(const std::string& text, const std::string& name);
[[nodiscard]] YAML::Node mapping_from_file(const std::string& path);

}  // namespace sluice::config
