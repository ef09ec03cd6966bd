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

}  // namespace sluice::store
