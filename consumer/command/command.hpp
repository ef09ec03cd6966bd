#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// What an operator asks for about one event (proto/command.proto). sluicectl writes it, the retry role
/// carries it out; this is what both agree upon. Pure.
namespace sluice::command {

/// The body of an edit, and what the operator saw of it.
struct EditedBody {
    crypto::Digest sha256{};
    std::string bytes;

    bool operator==(const EditedBody&) const = default;
};

/// The second operator's word on a command (approval.hpp).
struct Approval {
    std::string operator_name;
    std::string reason;
    WallTime approved_at{};

    bool operator==(const Approval&) const = default;
};

struct Command {
    store::ActionId id{};                     ///< carried out once under it
    std::optional<store::ActionId> run;       ///< of one invocation over several events
    std::string object_key;                   ///< the lane's; empty: the record had none
    std::optional<store::InboxKey> event;     ///< none: the entry has no inbox row
    std::optional<std::int64_t> dead_letter;  ///< the entry that the operator looked at
    store::ActionKind action = store::ActionKind::retry;
    std::optional<EditedBody> edit;  ///< of an edit, and only of it
    bool unverified = false;         ///< of a retry or rerun: also where the request cannot be verified again
    std::string effect;              ///< of a rerun: this one alone; empty: all of today
    std::string operator_name;
    std::string reason;
    std::string host;
    std::string database_user;
    WallTime requested_at{};
    std::optional<Approval> approval;  ///< of a second operator; no part of the record's value

    bool operator==(const Command&) const = default;
};

/// Why a command is invalid. A closed set: log lines and metrics have the names.
enum class Flaw {
    unreadable,      ///< no such message, or text that is not UTF-8
    unknown_action,  ///< a newer sluicectl wrote it: never guessed
    no_id,
    no_target,  ///< neither event nor entry, no entry to close, or no event to rerun
    no_operator,
    no_reason,
    no_body,          ///< an edit without its body in the command
    malformed_event,  ///< a day or a key that is none
    malformed_time,
    too_large,  ///< the record, or a text beyond its column
};
[[nodiscard]] std::string_view name_of(Flaw flaw) noexcept;

inline constexpr std::size_t max_edited_body = 512 * 1024;
inline constexpr std::size_t max_effect_name = 4096;

/// What is wrong with it, as both ends see it. That the body is the one that the operator saw is asked for
/// apart (`has_its_body`): such a command is refused on record.
[[nodiscard]] std::optional<Flaw> flaw_in(const Command& command);
[[nodiscard]] std::optional<Flaw> flaw_in(const Approval& approval);

/// True when there is no body to differ.
[[nodiscard]] bool has_its_body(const Command& command);

/// Commands of one object keep their order: the object's key, or the entry's id in decimal.
[[nodiscard]] std::string record_key(const Command& command);

/// The same command of the same run, however often the run is resumed: the first 16 bytes of SHA-256 of
/// both.
[[nodiscard]] store::ActionId id_in_run(const store::ActionId& run, std::int64_t dead_letter);
[[nodiscard]] store::ActionId id_in_run(const store::ActionId& run, const store::InboxKey& event);

}  // namespace sluice::command
