#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// Which effects are in force: over all consumers of a database those of one configuration, so that one
/// object never gets old and new rules in turns. A row of sluice_meta holds the highest revision that a
/// configuration with them has had, and their digest.
namespace sluice::store {

struct EffectsVersion {
    std::int64_t revision = 0;  ///< `effects_revision`; 0: the file says none
    crypto::Digest digest{};    ///< effects::digest_of
};

/// The highest that a file may say: Helm counts in doubles, and commands still have numbers above it.
inline constexpr std::int64_t highest_revision = 9'007'199'254'740'991;

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

/// Who puts effects in force by hand, and why.
struct PutBy {
    std::string_view operator_name;
    std::string_view reason;
};

/// Records ours with a revision of their own, the next one, and in the same transaction who did it and why,
/// unless they are in force already or will be as soon as a consumer starts with them. What is recorded then.
/// errc::out_of_range: there is no next one. Outside a transaction.
[[nodiscard]] Result<std::optional<EffectsInForce>> put_effects_in_force(Connection& connection,
                                                                         const EffectsVersion& ours,
                                                                         const PutBy& by, WallTime now);

/// "ada: the refunds of 1.4 were wrong"; nullopt: no command recorded this revision.
[[nodiscard]] Result<std::optional<std::string>> who_put_in_force(Connection& connection,
                                                                  const EffectsVersion& version);

}  // namespace sluice::store
