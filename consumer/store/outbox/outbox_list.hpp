#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// The outbox for people. No locks; a list is as of when its page was read.
namespace sluice::store {

enum class MessageState { waiting, refused, sent, skipped };

[[nodiscard]] std::string_view name_of(MessageState state) noexcept;
[[nodiscard]] std::optional<MessageState> message_state_from(std::string_view name) noexcept;

struct MessageRow {
    std::int64_t id = 0;
    std::string destination;
    std::optional<std::string> key;  ///< nullopt: in no order
    std::string idempotency_key;     ///< 32 bytes
    std::string effect;
    std::string source;
    std::string event_id;
    std::string event_type;
    MessageState state = MessageState::waiting;
    std::int64_t attempts = 0;
    WallTime created_at{};
    WallTime due_at{};
    std::optional<WallTime> finished_at{};
    std::string error_text{};  ///< of the last attempt
    std::int64_t body_bytes = 0;
    std::optional<std::string> body{};  ///< only of `find_message`
};

/// Which messages; what is not set does not narrow.
struct MessageFilter {
    std::optional<MessageState> state{};  ///< nullopt: waiting and refused ones
    bool of_any_state = false;            ///< where `state` is none: finished ones too
    std::optional<std::string> destination{};
    std::optional<std::string> key{};
};

/// Those behind `after`, in the order of their ids; at most `limit`, without bodies. What is not finished is
/// found by an index, the rest by a walk over ids.
[[nodiscard]] Result<std::vector<MessageRow>> list_messages(Connection& connection,
                                                            const MessageFilter& filter, std::int64_t limit,
                                                            std::int64_t after = 0);

struct MessageCount {
    std::string destination;
    MessageState state = MessageState::waiting;
    std::int64_t count = 0;
    WallTime oldest{};
};
/// By destination and state, of what is not finished: the rest may be millions.
[[nodiscard]] Result<std::vector<MessageCount>> count_messages(Connection& connection,
                                                               const MessageFilter& filter);

/// With its body; nullopt where there is none.
[[nodiscard]] Result<std::optional<MessageRow>> find_message(Connection& connection, std::int64_t id);
/// The same by its idempotency key, the newest where there are two. No index: it walks over all messages.
[[nodiscard]] Result<std::optional<MessageRow>> find_message(Connection& connection,
                                                             const crypto::Digest& idempotency_key);

/// Of one event, in the order of their ids.
[[nodiscard]] Result<std::vector<MessageRow>> messages_of(Connection& connection, const InboxKey& event);

}  // namespace sluice::store
