#pragma once

#include <cstdint>
#include <optional>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/connection.hpp"

/// Which effects are in force: over all consumers of a database those of one configuration, so that one
/// object never gets old and new rules in turns. A row of sluice_meta holds the highest revision that a
/// configuration with them has had, and their digest.
namespace sluice::store {

struct EffectsVersion {
    std::int64_t revision = 0;  ///< `effects_revision`; 0: the file says none
    crypto::Digest digest{};    ///< effects::digest_of
};

struct EffectsInForce {
    EffectsVersion version;
    WallTime since{};
};

enum class EffectsStanding {
    in_force,  ///< nothing is recorded, or the same digest, or less than our revision
    differ,    ///< other effects under our revision: they were first, ours may not be applied
    outdated,  ///< other effects under a higher revision: ours may not be applied any more
};

[[nodiscard]] EffectsStanding standing_of(const EffectsVersion& ours,
                                          const std::optional<EffectsInForce>& recorded) noexcept;

/// Committed when this is called, also inside a transaction (READ COMMITTED). nullopt: nothing is recorded.
[[nodiscard]] Result<std::optional<EffectsInForce>> effects_in_force(Connection& connection);

/// Records ours where their revision is higher than any before; what is recorded then. Outside a transaction.
[[nodiscard]] Result<std::optional<EffectsInForce>> agree_on_effects(Connection& connection,
                                                                     const EffectsVersion& ours,
                                                                     WallTime now);

/// Records ours with a revision of their own, the next one, unless they are in force already or will be
/// as soon as a consumer starts with them. What is recorded then. Outside a transaction.
[[nodiscard]] Result<std::optional<EffectsInForce>> put_effects_in_force(Connection& connection,
                                                                         const EffectsVersion& ours,
                                                                         WallTime now);

}  // namespace sluice::store
