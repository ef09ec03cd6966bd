#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace sluice::config {

/// A file of the configuration that is no secret; nothing when it cannot be read or is longer.
[[nodiscard]] inline std::optional<std::string> read_whole_file(const std::filesystem::path& path,
                                                                std::size_t most) {
    std::ifstream in{path, std::ios::binary};
    std::string text(most + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (!in.eof() || text.size() > most) return std::nullopt;
    return text;
}

}  // namespace sluice::config
