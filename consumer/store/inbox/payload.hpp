#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// The archive of requests as received (deploy/mysql/0001_inbox.sql, event_payload).
namespace sluice::store {

/// The views live until `insert_payloads` returns.
struct PayloadEntry {
    InboxKey key;
    std::string_view headers;  ///< JSON array of [name, value] pairs
    std::string_view body;     ///< byte for byte
};

struct Payload {
    std::string headers;
    std::string body;
};

/// Multi-row INSERTs of at most 2 MiB each (a larger row goes alone), inside the caller's transaction. A row
/// that is there already (the inbox row alone was deleted) gives way: what is applied now counts. MySQL's
/// max_allowed_packet must exceed the largest body; a row that does not fit fails the transaction.
[[nodiscard]] Result<void> insert_payloads(Connection& connection, std::span<const PayloadEntry> entries);

[[nodiscard]] Result<std::optional<Payload>> find_payload(Connection& connection, const InboxKey& key);

}  // namespace sluice::store
