#include "common/config/settings/log_settings.hpp"

#include <array>
#include <utility>

namespace sluice::config {

LogSettings read_log(const Document& document) {
    constexpr std::array levels{std::pair{"debug", LogLevel::debug}, std::pair{"info", LogLevel::info},
                                std::pair{"warn", LogLevel::warn}, std::pair{"error", LogLevel::error}};
    Section section = document.section("log");
    const std::string wanted = section.one_of("level", {"debug", "info", "warn", "error"}, "info");
    LogSettings settings{.routine = section.ratio("routine", 1)};
    for (const auto& [name, level] : levels)
        if (wanted == name) settings.level = level;
    return settings;
}

}  // namespace sluice::config
