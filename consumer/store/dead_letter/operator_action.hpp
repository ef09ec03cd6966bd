#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// What operators did (deploy/mysql/0005_operator_action.sql). All functions run inside the caller's
/// transaction where there is one, and never commit or roll back.
namespace sluice::store {

/// A UUID: of a command, or of a run of `sluicectl` that made it.
using ActionId = std::array<std::uint8_t, 16>;

/// newer: of a newer release; read from the table alone, never commanded.
enum class ActionKind { retry, skip, edit, close, rerun, newer };
enum class ActionAnswer { carried_out, refused };

[[nodiscard]] std::string_view name_of(ActionKind kind) noexcept;
[[nodiscard]] std::string_view name_of(ActionAnswer answer) noexcept;
[[nodiscard]] std::optional<ActionKind> action_kind_from(std::string_view name) noexcept;

/// The second operator's, of a command that two have given.
struct ActionApproval {
    std::string operator_name;
    std::string reason;
    WallTime approved_at{};
};

/// A row to insert. The views live until `insert_action` returns; texts are cut at the columns' sizes.
struct OperatorAction {
    ActionId id{};
    std::optional<ActionId> run;
    ActionKind kind = ActionKind::retry;
    ActionAnswer answer = ActionAnswer::carried_out;
    std::string_view why;  ///< of a refusal, a word of a closed set; empty: NULL
    std::string_view object_key;
    std::optional<InboxKey> inbox;            ///< of the event
    std::optional<std::int64_t> dead_letter;  ///< of the entry that the operator looked at
    std::string_view operator_name;
    std::string_view reason;
    std::string_view database_user;
    std::string_view host;
    WallTime requested_at{};
    WallTime carried_out_at{};
    std::optional<crypto::Digest> body_sha256;  ///< of an edit
    std::optional<ActionApproval> approval{};
};

/// A view of it.
[[nodiscard]] Bytes id_bytes(const ActionId& id) noexcept;
/// Throws std::runtime_error where the column has not its 16 bytes.
[[nodiscard]] ActionId action_id_column(const OwnedDatum& column);

/// In the transaction that carries the command out. False: it was carried out before, nothing is inserted,
/// and the transaction is as it was.
[[nodiscard]] Result<bool> insert_action(Connection& connection, const OperatorAction& action);

/// A row as it stands in the table.
struct ActionRow {
    ActionId id{};
    std::optional<ActionId> run;
    ActionKind kind = ActionKind::retry;
    ActionAnswer answer = ActionAnswer::carried_out;
    std::string why;
    std::string object_key;
    std::optional<InboxKey> inbox;
    std::optional<std::int64_t> dead_letter;
    std::string operator_name;
    std::string reason;
    std::string database_user;
    std::string host;
    WallTime requested_at{};
    WallTime carried_out_at{};
    std::optional<crypto::Digest> body_sha256;
    std::optional<ActionApproval> approval{};
};

/// In the order in which they were carried out.
[[nodiscard]] Result<std::vector<ActionRow>> actions_of_event(Connection& connection, const InboxKey& event);
[[nodiscard]] Result<std::vector<ActionRow>> actions_of_dead_letter(Connection& connection,
                                                                    std::int64_t dead_letter);

/// How far a run is. An event that died again has an open entry at the place of the one that was retried; of
/// an entry without a lane this is not known. One that was rerun stands dead in its lane; a message was
/// refused again.
struct RunProgress {
    std::int64_t carried_out = 0;
    std::int64_t refused = 0;
    std::int64_t dead_again = 0;
};
[[nodiscard]] Result<RunProgress> progress_of_run(Connection& connection, const ActionId& run);

/// Events of lanes and messages that the run has set going and that were not tried since: how they end is not
/// known yet. A rerun may be parked behind an event that waits.
[[nodiscard]] Result<std::int64_t> count_untried(Connection& connection, const ActionId& run);

/// Objects of the run whose next event was not tried yet, now that the one before it was dealt with. To be
/// asked when all of the run's own were tried.
struct Moving {
    std::int64_t objects = 0;
    std::int64_t events = 0;  ///< all that are unfinished in them
};
[[nodiscard]] Result<Moving> moving_behind(Connection& connection, const ActionId& run);

struct Refusals {
    std::string why;
    std::int64_t count = 0;
};
/// Of a run, most first.
[[nodiscard]] Result<std::vector<Refusals>> refusals_of_run(Connection& connection, const ActionId& run);

/// Which of these commands were answered, in no particular order; up to 512.
[[nodiscard]] Result<std::vector<ActionId>> answered(Connection& connection, std::span<const ActionId> ids);

}  // namespace sluice::store
