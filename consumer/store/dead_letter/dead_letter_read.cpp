#include "consumer/store/dead_letter/dead_letter_read.hpp"

#include <array>

#include "consumer/store/dead_letter/dead_letter_columns.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

Result<std::optional<DeadLetterRow>> whole_dead_letter(Connection& connection, std::string_view condition,
                                                       const Datum& value) {
    const std::array<Datum, 1> parameters{value};
    const auto rows = connection.query("SELECT " + std::string{dead_letter_columns} +
                                           ", headers, body FROM dead_letter WHERE " + std::string{condition},
                                       parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return whole_dead_letter_from(rows->front());
}

}  // namespace

Result<std::optional<DeadLetterRow>> find_dead_letter(Connection& connection, std::int64_t id) {
    return whole_dead_letter(connection, "id = ?", id);
}

Result<std::optional<DeadLetterRow>> find_dead_letter_of_record(Connection& connection,
                                                                const crypto::Digest& seen_once) {
    return whole_dead_letter(connection, "seen_once = ?", digest_datum(seen_once));
}

Result<std::vector<std::int64_t>> retried_dead_letters_of(Connection& connection,
                                                          const DeadLetterRow& dead_letter) {
    if (!dead_letter.inbox || !dead_letter.content_digest) return std::vector<std::int64_t>{};
    const std::array<Datum, 4> parameters{Bytes{dead_letter.event_id},
                                          digest_datum(dead_letter.inbox->dedup_key),
                                          digest_datum(*dead_letter.content_digest), dead_letter.id};
    const auto rows = connection.query(
        "SELECT id FROM dead_letter WHERE event_id = ? AND dedup_key = ? AND content_digest = ? AND id <> ?"
        " AND lane_key IS NULL AND closed_as = 'retried'",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<std::int64_t> ids;
    for (const auto& columns : *rows) ids.push_back(std::get<std::int64_t>(columns.at(0)));
    return ids;
}

}  // namespace sluice::store
