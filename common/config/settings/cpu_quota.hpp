#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace sluice::config {

/// CPUs that a quota per period allows, rounded up: for cgroup v2's cpu.max, "150000 100000" is 2.
/// nullopt for "max" or anything else.
[[nodiscard]] std::optional<int> cpus_of_cpu_max(std::string_view text);

/// The least quota on the way from this process's cgroup to the root, in version 2 and version 1
/// hierarchies; nullopt without one. `mount` is where cgroups are mounted (/sys/fs/cgroup),
/// `own_groups` the text of /proc/self/cgroup.
[[nodiscard]] std::optional<int> cpu_quota(const std::filesystem::path& mount, std::string_view own_groups);

}  // namespace sluice::config
