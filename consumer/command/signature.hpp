#pragma once

#include <array>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/secret.hpp"
#include "consumer/command/command.hpp"

/// Whose command a record of kafka.command_topic is. Without this, anyone who may write to that topic could
/// retry, skip or edit any event. The signature is a header of the record, `sluice-signature`, with the value
///
///     <id of the key>:<HMAC-SHA-256, 64 hex digits>
///
/// over these parts, each preceded by its length as eight big-endian bytes: the text "sluice command 1", the
/// key's id, the command topic's id at Kafka, kafka.group, the record's key, the record's value. The value is
/// signed byte for byte: the signature covers all that a command says, also one of a kind that is yet to
/// come, and nothing needs a canonical form. Each topic has its own id: what was signed for one installation
/// means nothing to another one, even where both have the same key and names.
///
/// A command of two operators has three headers instead of that one. `sluice-proposal` is the first
/// operator's signature, over "sluice proposal 1" and the same parts; no release that verifies signatures
/// takes it for a command by itself. `sluice-approval` is what the second operator says (approval.hpp).
/// `sluice-approval-signature` is the second operator's signature, over "sluice approval 1", the same parts,
/// the value of `sluice-proposal` and the approval. Pure; safe for any bytes.
namespace sluice::command {

inline constexpr std::string_view signature_header = "sluice-signature";
inline constexpr std::string_view proposal_header = "sluice-proposal";
inline constexpr std::string_view approval_header = "sluice-approval";
inline constexpr std::string_view approval_signature_header = "sluice-approval-signature";

/// What commands are signed with: anyone who has it can give them.
struct OperatorKey {
    std::string id;
    std::string operator_name;  ///< its operator; empty: it signs for any operator
    Secret secret;
};

/// Where a command counts.
struct Place {
    std::string topic_id;  ///< Kafka's id of the command topic (kafka::TopicFacts)
    std::string group;     ///< kafka.group
};

/// Why no key vouches for a command. A closed set: log lines and metrics have the names.
enum class Doubt {
    not_signed,      ///< no signature, or text that is none
    unknown_key,     ///< its key is not configured here
    forged,          ///< the key did not sign these bytes for this place
    other_operator,  ///< the command, or the approval, names another operator than the key
    not_approved,    ///< a proposal without an approval
    one_operator,    ///< its two signatures are not those of two operators
};
inline constexpr std::array doubts{Doubt::not_signed,     Doubt::unknown_key,  Doubt::forged,
                                   Doubt::other_operator, Doubt::not_approved, Doubt::one_operator};
[[nodiscard]] std::string_view name_of(Doubt doubt) noexcept;

/// Letters, digits, `.`, `_` and `-`, 1 to 64 of them.
[[nodiscard]] bool is_key_id(std::string_view text) noexcept;

/// What is signed, for one purpose alone. The views have to live as long as it is used.
struct Statement {
    std::string_view purpose;
    std::vector<std::string_view> parts;  ///< behind the key's id and the place
};
[[nodiscard]] Statement command_of(std::string_view record_key, std::string_view value);
[[nodiscard]] Statement proposal_of(std::string_view record_key, std::string_view value);
/// `proposal`: the first operator's signature.
[[nodiscard]] Statement approval_of(std::string_view record_key, std::string_view value,
                                    std::string_view proposal, std::string_view approval);

/// The header's value.
[[nodiscard]] std::string sign(const Statement& statement, const Place& place, const OperatorKey& key);

/// The key that made the signature; never null. Its time does not depend on how much of the signature is
/// right.
[[nodiscard]] std::expected<const OperatorKey*, Doubt> signer_of(std::string_view signature,
                                                                 const Statement& statement,
                                                                 const Place& place,
                                                                 std::span<const OperatorKey> keys);

/// Whether the key may sign as that operator: it is theirs, or it names no operator.
[[nodiscard]] bool may_sign_as(const OperatorKey& key, std::string_view operator_name) noexcept;

/// Whether these are keys of two operators. A key that names no operator does not count: a person with such a
/// key and their own could sign twice.
[[nodiscard]] bool are_two_operators(const OperatorKey& one, const OperatorKey& other) noexcept;

}  // namespace sluice::command
