#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/apply/attempt.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/effects/batch_run.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/store/connection.hpp"
#include "ingress/verify/json_view.hpp"

namespace sluice::consumer {

/// Who writes claims of applied offsets.
struct ClaimantName {
    std::string group;
    std::string topic_id;
    std::string name;  ///< process instance and worker
};

/// The one transaction: inbox rows, payloads, effects, claims of offsets, COMMIT. Used for a whole
/// batch and for one event alone. One worker's; not thread-safe.
class Transaction {
public:
    struct Failed {
        Setback setback;
        std::optional<std::size_t> culprit;  ///< the event whose effects failed, where that is known
        bool inbox_insert = false;  ///< the inbox INSERT raised it: only there 1062 may mean duplicate
    };

    Transaction(const Rules& rules, Partitions& partitions, const Clock& clock)
        : rules_{rules}, partitions_{partitions}, clock_{clock}, batch_run_{rules.effects} {}

    /// Applies `items`, which stand in the order their effects must run, are decoded, and hold no event
    /// twice. `settled_with` are offsets that are finished together with them (twins, known duplicates).
    /// After success the offsets are finished and claimed, and each event's status is returned. After a
    /// failure everything is rolled back (or the connection is dead).
    [[nodiscard]] std::expected<std::vector<store::InboxStatus>, Failed> apply(
        std::span<Item* const> items, const std::vector<Coordinates>& settled_with,
        store::Connection& connection, const ClaimantName& claimant);

    /// Claims offsets that are finished but that no transaction covered.
    [[nodiscard]] Result<void> claim_only(store::Connection& connection, const ClaimantName& claimant);

private:
    using Matching = std::vector<const effects::Effect*>;

    [[nodiscard]] std::optional<Failed> insert(std::span<Item* const> items,
                                               std::span<const Matching> matching,
                                               store::Connection& connection);
    [[nodiscard]] std::optional<Failed> run_effects(std::span<Item* const> items,
                                                    std::span<const Matching> matching,
                                                    store::Connection& connection);
    [[nodiscard]] std::optional<Failed> run_together(std::span<Item* const> items,
                                                     std::span<const Matching> matching,
                                                     store::Connection& connection);
    [[nodiscard]] std::optional<Setback> run_one(const Item& item, const Matching& matching,
                                                 store::Connection& connection);
    /// Into view_; why it cannot be read otherwise.
    [[nodiscard]] std::optional<Setback> read_body(const Item& item);

    const Rules& rules_;
    Partitions& partitions_;
    const Clock& clock_;
    verify::JsonView view_;
    effects::BatchRun batch_run_;
};

/// Whether payload rows are written for an event of this status.
[[nodiscard]] bool keeps_payload(config::InboxSettings::Payload payload, store::InboxStatus status) noexcept;

/// The payload rows of these items, in order. `headers` owns the text that the rows point to.
[[nodiscard]] Result<void> insert_payloads(std::span<Item* const> items, store::Connection& connection);

}  // namespace sluice::consumer
