#pragma once

#include <string>

namespace sluice::ctl {

/// The file, byte for byte. Throws Stopped(usage) when it cannot be read.
[[nodiscard]] std::string file_content(const std::string& path);

}  // namespace sluice::ctl
