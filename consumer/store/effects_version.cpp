#include "consumer/store/effects_version.hpp"

#include <charconv>
#include <string>

#include "common/crypto/encoding.hpp"
#include "consumer/store/meta.hpp"

namespace sluice::store {
namespace {

std::string version_text(const EffectsVersion& version) {
    return std::to_string(version.revision) + " " + crypto::to_hex(version.digest);
}

/// What version_text wrote; of anything else as much as can be read.
EffectsVersion version_from(const std::string& text) {
    EffectsVersion version;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, version.revision);
    if (stop != end) version.digest = crypto::digest_from_hex({stop + 1, end}).value_or(crypto::Digest{});
    return version;
}

using MetaRow = std::optional<MetaValue>;

std::optional<EffectsInForce> recorded_in(const MetaRow& row) {
    if (!row) return std::nullopt;
    return EffectsInForce{version_from(row->text), row->written_at};
}

/// False where somebody else has recorded something meanwhile.
Result<bool> replace(Connection& connection, const MetaRow& row, const EffectsVersion& version,
                     WallTime now) {
    if (!row) return claim_meta(connection, meta::effects, version_text(version), now);
    return replace_meta(connection, meta::effects, row->text, version_text(version), now);
}

}  // namespace

EffectsStanding standing_of(const EffectsVersion& ours,
                            const std::optional<EffectsInForce>& recorded) noexcept {
    if (!recorded || recorded->version.digest == ours.digest) return EffectsStanding::in_force;
    if (recorded->version.revision > ours.revision) return EffectsStanding::outdated;
    return recorded->version.revision == ours.revision ? EffectsStanding::differ : EffectsStanding::in_force;
}

Result<std::optional<EffectsInForce>> effects_in_force(Connection& connection) {
    const auto row = read_meta(connection, meta::effects);
    if (!row) return Failure{row.error()};
    return recorded_in(*row);
}

Result<std::optional<EffectsInForce>> agree_on_effects(Connection& connection, const EffectsVersion& ours,
                                                       WallTime now) {
    while (true) {  // who loses finds a higher revision than before
        const auto row = read_meta(connection, meta::effects);
        if (!row) return Failure{row.error()};
        const auto recorded = recorded_in(*row);
        if (ours.revision <= (recorded ? recorded->version.revision : 0)) return recorded;
        const auto is_ours = replace(connection, *row, ours, now);
        if (!is_ours) return Failure{is_ours.error()};
        if (*is_ours) return EffectsInForce{ours, now};
    }
}

Result<std::optional<EffectsInForce>> put_effects_in_force(Connection& connection, const EffectsVersion& ours,
                                                           WallTime now) {
    while (true) {
        const auto row = read_meta(connection, meta::effects);
        if (!row) return Failure{row.error()};
        const auto recorded = recorded_in(*row);
        if (standing_of(ours, recorded) == EffectsStanding::in_force) return recorded;
        const EffectsVersion next{recorded->version.revision + 1, ours.digest};
        const auto is_ours = replace(connection, *row, next, now);
        if (!is_ours) return Failure{is_ours.error()};
        if (*is_ours) return EffectsInForce{next, now};
    }
}

}  // namespace sluice::store
