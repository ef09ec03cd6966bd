#pragma once

#include <filesystem>
#include <string_view>

namespace sluice::ctl {

/// A file that readers see whole or not at all, also over a power cut: written beside its place, synced,
/// renamed. Every user may read it (0644). Throws std::system_error; then the old file stays.
void put_in_place(const std::filesystem::path& file, std::string_view text);

}  // namespace sluice::ctl
