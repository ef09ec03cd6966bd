#include "common/config/settings/log_level.hpp"

#include <array>
#include <utility>

namespace sluice::config {

LogLevel read_log_level(const Document& document) {
    constexpr std::array levels{std::pair{"debug", LogLevel::debug}, std::pair{"info", LogLevel::info},
                                std::pair{"warn", LogLevel::warn}, std::pair{"error", LogLevel::error}};
    Section section = document.section("log");
    const std::string wanted = section.one_of("level", {"debug", "info", "warn", "error"}, "info");
    for (const auto& [name, level] : levels)
        if (wanted == name) return level;
    return LogLevel::info;
}

}  // namespace sluice::config
