#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <sched.h>

#include "common/config/settings/connections.hpp"
#include "common/config/settings/cpu_quota.hpp"

namespace sluice::config {
namespace {

int cpus_of_affinity() {
    cpu_set_t mask;
    // Fails on machines with more CPUs than the mask has room for; they have enough.
    if (::sched_getaffinity(0, sizeof mask, &mask) == 0) return CPU_COUNT(&mask);
    return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int usable_cpus() {
    std::ifstream in{"/proc/self/cgroup"};
    const std::string own_groups{std::istreambuf_iterator<char>{in}, {}};
    const int allowed = std::max(1, cpus_of_affinity());
    const auto quota = cpu_quota("/sys/fs/cgroup", own_groups);
    return quota ? std::clamp(*quota, 1, allowed) : allowed;
}

}  // namespace sluice::config
