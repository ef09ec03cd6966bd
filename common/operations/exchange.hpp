#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// The little HTTP that probes, scrapers and people with curl need: one request, one answer, close. Pure.
namespace sluice::operations {

inline constexpr std::size_t most_head_bytes = 8 * 1024;

/// Whether `bytes` hold a whole head: up to an empty line.
[[nodiscard]] bool has_head(std::string_view bytes) noexcept;

struct Asked {
    std::string_view path{};  ///< without the query; empty: not a readable GET or HEAD
    bool body_wanted = true;  ///< false for HEAD
};
[[nodiscard]] Asked read_head(std::string_view head) noexcept;

struct Reply {
    int status;
    std::string_view type;
    std::string body;
};
/// The whole answer; says that the connection ends.
[[nodiscard]] std::string written(const Reply& reply, bool with_body);

}  // namespace sluice::operations
