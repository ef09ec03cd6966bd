#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::consumer {

/// The whole bodies of deliveries that carried several events.
class Originals {
public:
    virtual ~Originals() = default;
    /// The body with this SHA-256, received about then. Nothing where it is no longer kept or was not found
    /// in time. Blocking, for a few seconds at most; thread-safe.
    [[nodiscard]] virtual std::optional<std::string> find(const crypto::Digest& digest,
                                                          WallTime received_at) = 0;
};

}  // namespace sluice::consumer
