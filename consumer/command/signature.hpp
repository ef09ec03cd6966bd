#pragma once

#include <array>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/secret.hpp"
#include "consumer/command/command.hpp"

/// Whose command a record of kafka.command_topic is. Who may write to that topic could else retry, skip or
/// edit any event. The signature is a header of the record, `sluice-signature`, with the value
///
///     <id of the key>:<HMAC-SHA-256, 64 hex digits>
///
/// over these parts, each preceded by its length as eight big-endian bytes: the text "sluice command 1", the
/// key's id, the command topic's id at Kafka, kafka.group, the record's key, the record's value. The value is
/// signed as the bytes that it is: whatever a command says, also of a kind that is yet to come, is in it, and
/// nothing has to be put into a canonical form. The topic's id is one of a kind: what was signed for one
/// installation means nothing to another one, even where both have the same key and names.
///
/// A command of two operators has three headers in place of that one. `sluice-proposal` is the first
/// operator's signature, over "sluice proposal 1" and the same parts: it is no command by itself, to no
/// release. `sluice-approval` is what the second one says (approval.hpp), `sluice-approval-signature` is
/// theirs, over "sluice approval 1", the same parts, the value of `sluice-proposal` and the approval. Pure;
/// safe for any bytes.
namespace sluice::command {

inline constexpr std::string_view signature_header = "sluice-signature";
inline constexpr std::string_view proposal_header = "sluice-proposal";
inline constexpr std::string_view approval_header = "sluice-approval";
inline constexpr std::string_view approval_signature_header = "sluice-approval-signature";

/// What commands are signed with: whoever has it can give them.
struct OperatorKey {
    std::string id;
    std::string operator_name;  ///< whose it is; empty: of whoever has it
    Secret secret;
};

/// Where a command counts.
struct Place {
    std::string topic_id;  ///< Kafka's id of the command topic (kafka::TopicFacts)
    std::string group;     ///< kafka.group
};

/// Why nobody vouches for a command. A closed set: log lines and metrics have the names.
enum class Doubt {
    not_signed,      ///< no signature, or no such text
    unknown_key,     ///< its key is not configured here
    forged,          ///< the key did not sign these bytes for this place
    other_operator,  ///< the key is another operator's than the command, or the approval, names
    not_approved,    ///< a proposal without an approval
    one_operator,    ///< its two signatures are not those of two operators
};
inline constexpr std::array doubts{Doubt::not_signed,     Doubt::unknown_key,  Doubt::forged,
                                   Doubt::other_operator, Doubt::not_approved, Doubt::one_operator};
[[nodiscard]] std::string_view name_of(Doubt doubt) noexcept;

/// Letters, digits, `.`, `_` and `-`, 1 to 64 of them.
[[nodiscard]] bool is_key_id(std::string_view text) noexcept;

/// What is signed, for one purpose alone. The views live as long as it is used.
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

/// The key that made the signature; never null. In a time that does not depend on how much of it is right.
[[nodiscard]] std::expected<const OperatorKey*, Doubt> signer_of(std::string_view signature,
                                                                 const Statement& statement,
                                                                 const Place& place,
                                                                 std::span<const OperatorKey> keys);

/// Whether a key of that operator, or of nobody in particular, may say this.
[[nodiscard]] bool may_sign_as(const OperatorKey& key, std::string_view operator_name) noexcept;

/// Whether these are keys of two operators. One that is nobody's in particular is no operator's: whoever has
/// it and a key of their own would be two.
[[nodiscard]] bool are_two_operators(const OperatorKey& one, const OperatorKey& other) noexcept;

}  // namespace sluice::command
