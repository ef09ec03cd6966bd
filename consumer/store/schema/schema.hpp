#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// Whether this database is one that this consumer may write to.
struct SchemaVerdict {
    enum class Kind {
        ready,
        wait,    ///< work elsewhere will fix it (migrations, rights): readiness false, check again
        refuse,  ///< configuration is wrong: another group's database, a migration that differs
    };
    Kind kind = Kind::ready;
    std::string sentence;  ///< for readiness and people; empty when ready
};

/// Checks the migrations and records `group` as the owner of the database when no group did (a meta row, one
/// winner under concurrency); a database that belongs to another group is refused for ever. Newer migrations
/// than this program knows are fine: they are forward-only and keep what older programs use. The Result fails
/// only on errors that are not of class `schema` (those are `wait`). Outside a transaction. `largest_body`:
/// bytes, of all sources.
[[nodiscard]] Result<SchemaVerdict> check_schema(Connection& connection, const std::string& group,
                                                 std::size_t largest_body, WallTime now);

/// The least max_allowed_packet, in bytes: for a row with such a body, its headers and what else is in it, or
/// for the 2 MiB of rows that go together (consumer/store/inbox/payload.hpp). Pure.
[[nodiscard]] std::size_t packet_for(std::size_t largest_body);

/// Why a server's locks do not hold where others write too (Galera, several primaries), or empty. Pure.
[[nodiscard]] std::string several_primaries(const std::map<std::string, std::string>& variables);

/// The sentence that says why the server's variables (name to value, as SHOW VARIABLES gives them) do not
/// fit, or empty. Pure.
[[nodiscard]] std::string server_shortfall(const std::map<std::string, std::string>& variables,
                                           std::size_t largest_body);

/// The sentence that says why a row kept for `keep` may be gone while Kafka still holds its record, or empty.
/// `retention_ms`: of the topic, -1 for ever. Pure.
[[nodiscard]] std::string keep_shortfall(std::chrono::days keep, std::int64_t retention_ms);

}  // namespace sluice::store
