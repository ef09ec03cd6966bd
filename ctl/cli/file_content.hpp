#pragma once

#include <string>
#include <string_view>

namespace sluice::ctl {

/// The file, byte for byte; `-` is standard input. Throws Stopped(usage) when it cannot be read.
[[nodiscard]] std::string file_content(const std::string& path);

/// A new file that only its owner reads. Throws Stopped(usage) when there is one already, or it cannot be.
void write_private_file(const std::string& path, std::string_view bytes);

}  // namespace sluice::ctl
