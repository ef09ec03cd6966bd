#include "ingress/connection/descriptors.hpp"

#include <algorithm>

#include <sys/resource.h>

namespace sluice::connection {

int affordable_connections(int wanted, std::uint64_t most) noexcept {
    const std::uint64_t kept = std::min(kept_descriptors, most / 2);
    return static_cast<int>(std::clamp<std::uint64_t>(most - kept, 1, static_cast<std::uint64_t>(wanted)));
}

std::uint64_t allow_descriptors(std::uint64_t wanted) noexcept {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    const rlimit raised{std::clamp<rlim_t>(wanted, limit.rlim_cur, limit.rlim_max), limit.rlim_max};
    return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace sluice::connection
