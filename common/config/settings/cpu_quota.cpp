#include "common/config/settings/cpu_quota.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <ranges>
#include <string>

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_of(const fs::path& path) {
    std::ifstream in{path};
    if (!in) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>{in}, {}};
}

std::optional<std::int64_t> take_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<int> cpus_of_version_1(const fs::path& folder) {
    const auto quota = text_of(folder / "cpu.cfs_quota_us");
    const auto period = text_of(folder / "cpu.cfs_period_us");
    if (!quota || !period) return std::nullopt;
    return cpus_of_cpu_max(*quota + " " + *period);  // the same two numbers; -1 where version 2 says max
}

std::optional<int> cpus_of_version_2(const fs::path& folder) {
    const auto text = text_of(folder / "cpu.max");
    return text ? cpus_of_cpu_max(*text) : std::nullopt;
}

void keep_least(std::optional<int>& least, std::optional<int> candidate) {
    if (candidate) least = std::min(least.value_or(std::numeric_limits<int>::max()), *candidate);
}

// A group's folder may be missing below `mount`: a container without a cgroup namespace sees its own
// group at `mount`, while /proc names it as the host does. The walk still ends at `mount`.
template <class Read>
std::optional<int> least_on_the_way(const fs::path& mount, std::string_view group, Read read) {
    std::optional<int> least;
    for (fs::path at = fs::path{group}.relative_path(); !at.empty(); at = at.parent_path()) {
        keep_least(least, read(mount / at));
    }
    keep_least(least, read(mount));
    return least;
}

}  // namespace

std::optional<int> cpus_of_cpu_max(std::string_view text) {
    const auto quota = take_number(text);
    const auto period = quota ? take_number(text) : std::nullopt;
    if (!period || *quota <= 0 || *period <= 0) return std::nullopt;
    const auto cpus = *quota / *period + (*quota % *period == 0 ? 0 : 1);
    return static_cast<int>(std::min<std::int64_t>(cpus, std::numeric_limits<int>::max()));
}

std::optional<int> cpu_quota(const fs::path& mount, std::string_view own_groups) {
    std::optional<int> least;
    for (const auto part : own_groups | std::views::split('\n')) {
        const std::string_view line{part.begin(), part.end()};  // "4:cpu,cpuacct:/path" or "0::/path"
        const auto controllers = line.find(':') + 1;
        const auto group = line.find(':', controllers) + 1;
        if (controllers == 0 || group == 0) continue;
        const auto names = line.substr(controllers, group - 1 - controllers);
        const auto path = line.substr(group);
        if (names.empty()) {
            keep_least(least, least_on_the_way(mount, path, cpus_of_version_2));
        } else if (("," + std::string{names} + ",").contains(",cpu,")) {
            keep_least(least, least_on_the_way(mount / names, path, cpus_of_version_1));
            keep_least(least, least_on_the_way(mount / "cpu", path, cpus_of_version_1));
        }
    }
    return least;
}

}  // namespace sluice::config
