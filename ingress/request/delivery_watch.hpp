#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/crypto/digest.hpp"

namespace sluice::ingress {

/// Under which of a provider's own delivery ids each of the last events came. Such ids are not signed and do
/// not identify an event, so a second id means that someone gave a captured delivery a new id, or that the
/// provider has two subscriptions for one thing. Fixed size: an event that another one replaces is forgotten,
/// so it reports too few, never too many. Thread-safe, without waiting.
class DeliveryWatch {
public:
    static constexpr std::size_t size = 1 << 16;

    /// Whether the event of this key came under another id the last time.
    [[nodiscard]] bool is_other(const crypto::Digest& dedup_key, std::string_view delivery_id) noexcept;

private:
    std::vector<std::atomic<std::uint64_t>> last_ =
        std::vector<std::atomic<std::uint64_t>>(size);  ///< a piece of the key, and one of the id's hash
};

}  // namespace sluice::ingress
