#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/apply/applied_offsets.hpp"
#include "consumer/apply/effects_run.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// The one transaction: inbox rows, payloads, effects, applied offsets, COMMIT. Used for a whole
/// batch and for one event alone. One worker's; not thread-safe.
class Transaction {
public:
    struct Failed {
        Setback setback{};
        std::optional<std::size_t> culprit{};  ///< the event whose effects failed, where that is known
        bool inbox_insert = false;  ///< the inbox INSERT raised it: only there 1062 may mean duplicate
        std::vector<store::LaneKey> busy{};  ///< lanes that are not open any more: nothing else is wrong
    };

    Transaction(const Rules& rules, Partitions& partitions, const Clock& clock)
        : rules_{rules},
          partitions_{partitions},
          clock_{clock},
          one_{rules},
          batch_run_{rules.effects, rules.times} {}

    /// Applies `items`, which stand in the order their effects must run, are decoded, hold no event twice and
    /// are of objects whose lanes were open when the caller looked. The lanes are read again behind the inbox
    /// rows: an earlier event of the object that another owner of the partition put into its lane is there by
    /// now. `settled_with` are offsets that are finished together with them (twins, known duplicates). After
    /// success the offsets are finished and written as applied, and each event's status is returned. After a
    /// failure everything is rolled back (or the connection is dead).
    [[nodiscard]] std::expected<std::vector<store::InboxStatus>, Failed> apply(
        std::span<Item* const> items, const std::vector<Coordinates>& settled_with,
        store::Connection& connection, const OffsetWriter& writer);

private:
    using Matching = std::vector<const effects::Effect*>;

    /// Reads each body, once where that will do: what it says of a payment is in the item then, and what its
    /// effects need in values_. Which effects those are.
    [[nodiscard]] std::vector<Matching> read(std::span<Item* const> items);
    void read_values(std::size_t number, Item& item, const Matching& matching);
    [[nodiscard]] std::expected<void, Failed> look_at_lanes(std::span<Item* const> items,
                                                            store::Connection& connection);
    [[nodiscard]] std::expected<void, Failed> insert(std::span<Item* const> items,
                                                     std::span<const Matching> matching,
                                                     store::Connection& connection);
    [[nodiscard]] std::expected<void, Failed> run_effects(std::span<Item* const> items,
                                                          std::span<const Matching> matching,
                                                          store::Connection& connection);
    void tell_holds(std::span<const Matching> matching, const Failed* failed);
    void tell_relay(std::span<const Matching> matching);
    [[nodiscard]] std::expected<void, Failed> run_together(std::span<Item* const> items,
                                                           std::span<const Matching> matching,
                                                           store::Connection& connection);

    const Rules& rules_;
    Partitions& partitions_;
    const Clock& clock_;
    EffectsRun one_;
    effects::BatchRun batch_run_;
    effects::BatchValues values_;  // of the items that are applied
};

}  // namespace sluice::consumer
