#include "ingress/connection/phases.hpp"

#include <algorithm>

namespace sluice::connection {

SteadyTime body_deadline(SteadyTime start, std::optional<std::size_t> bytes_to_come) {
    if (!bytes_to_come) return start + body_within;
    const auto seconds = static_cast<std::chrono::seconds::rep>(
        std::min<std::size_t>(*bytes_to_come / least_bytes_per_second, body_within.count()));
    return start + std::min<std::chrono::seconds>(body_within, std::chrono::seconds{2 + seconds});
}

}  // namespace sluice::connection
