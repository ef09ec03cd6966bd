#include "ctl/cli/time_words.hpp"

#include <algorithm>
#include <format>

#include "common/time_text.hpp"

namespace sluice::ctl {

std::string short_time(WallTime time) {
    std::string text = to_rfc3339(time).substr(0, 19);
    std::ranges::replace(text, 'T', ' ');
    return text;
}

std::string age_text(std::chrono::microseconds age) {
    const auto seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(age).count());
    if (seconds < 60) return std::format("{}s", seconds);
    if (seconds < 3600) return std::format("{}m {}s", seconds / 60, seconds % 60);
    if (seconds < 86'400) return std::format("{}h {}m", seconds / 3600, seconds / 60 % 60);
    return std::format("{}d {}h", seconds / 86'400, seconds / 3600 % 24);
}

}  // namespace sluice::ctl
