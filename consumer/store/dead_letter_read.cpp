#include "consumer/store/dead_letter_read.hpp"

#include <array>

#include "consumer/store/dead_letter_columns.hpp"
#include "consumer/store/inbox_columns.hpp"

namespace sluice::store {
namespace {

Result<std::optional<LetterRow>> whole_letter(Connection& connection, std::string_view condition,
                                              const Datum& value) {
    const std::array<Datum, 1> parameters{value};
    const auto rows = connection.query("SELECT " + std::string{letter_columns} +
                                           ", headers, body FROM dead_letter WHERE " + std::string{condition},
                                       parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return whole_letter_from(rows->front());
}

}  // namespace

Result<std::optional<LetterRow>> find_letter(Connection& connection, std::int64_t id) {
    return whole_letter(connection, "id = ?", id);
}

Result<std::optional<LetterRow>> find_letter_of_record(Connection& connection,
                                                       const crypto::Digest& seen_once) {
    return whole_letter(connection, "seen_once = ?", digest_datum(seen_once));
}

}  // namespace sluice::store
