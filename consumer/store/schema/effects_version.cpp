#include "consumer/store/schema/effects_version.hpp"

#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/driver/open_transaction.hpp"

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

/// False where another session has recorded something meanwhile.
Result<bool> replace(Connection& connection, const MetaRow& row, const EffectsVersion& version,
                     WallTime now) {
    if (!row) return insert_meta_once(connection, meta::effects, version_text(version), now);
    return replace_meta(connection, meta::effects, row->text, version_text(version), now);
}

std::optional<EffectsVersion> next_after(const EffectsVersion& recorded, const EffectsVersion& ours) {
    if (recorded.revision == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return EffectsVersion{recorded.revision + 1, ours.digest};
}

/// The row that says who put this revision in force.
std::string name_of_put(const EffectsVersion& version) {
    return std::string{meta::effects_put} + std::to_string(version.revision);
}

std::string put_text(const PutBy& by) {
    constexpr std::size_t longest_value = 1024;
    return (std::string{by.operator_name} + ": " + std::string{by.reason}).substr(0, longest_value);
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
    while (true) {  // the loser finds a higher revision than before
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
                                                           const PutBy& by, WallTime now) {
    while (true) {
        auto open = OpenTransaction::begin(connection);
        if (!open) return Failure{open.error()};
        const auto row = read_meta(connection, meta::effects);
        if (!row) return Failure{row.error()};
        const auto recorded = recorded_in(*row);
        if (standing_of(ours, recorded) == EffectsStanding::in_force) return recorded;
        const auto next = next_after(recorded->version, ours);
        if (!next) return Failure{errc::out_of_range};
        const auto is_ours = replace(connection, *row, *next, now);
        if (!is_ours) return Failure{is_ours.error()};
        if (!*is_ours) continue;
        if (auto kept = write_meta(connection, name_of_put(*next), put_text(by), now); !kept)
            return Failure{kept.error()};
        if (auto committed = open->commit(); !committed) return Failure{committed.error()};
        return EffectsInForce{*next, now};
    }
}

Result<std::optional<std::string>> who_put_in_force(Connection& connection, const EffectsVersion& version) {
    auto row = read_meta(connection, name_of_put(version));
    if (!row) return Failure{row.error()};
    if (!*row) return std::nullopt;
    return std::move((*row)->text);
}

}  // namespace sluice::store
