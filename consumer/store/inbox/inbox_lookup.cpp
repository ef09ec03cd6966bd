#include <array>

#include "common/time_text.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/inbox/undated.hpp"

// The parts of consumer/store/inbox/inbox.hpp that read single rows.
namespace sluice::store {
namespace {

const std::string& select_row() {
    static const std::string statement =
        "SELECT " + std::string{inbox_columns} + " FROM inbox WHERE event_day = ? AND ";
    return statement;
}

Result<void> find_on(Connection& connection, std::chrono::sys_days day,
                     std::span<const crypto::Digest> dedup_keys, std::vector<InboxRow>& out) {
    std::vector<Datum> parameters{day};
    for (const auto& key : dedup_keys) parameters.emplace_back(Bytes{crypto::as_text(key)});
    const auto rows = connection.query(
        select_row() + "dedup_key IN (" + parameter_list(dedup_keys.size()) + ")", parameters);
    if (!rows) return Failure{rows.error()};
    for (const auto& row : *rows) out.push_back(inbox_row(row));
    return {};
}

}  // namespace

Result<std::optional<std::chrono::sys_days>> next_inbox_day(Connection& connection,
                                                            std::chrono::sys_days day) {
    const std::array<Datum, 1> parameters{day};
    const auto rows = connection.query("SELECT MIN(event_day) FROM inbox WHERE event_day > ?", parameters);
    if (!rows) return Failure{rows.error()};
    const auto time = time_column(rows->at(0).at(0));
    return time ? std::optional{day_of(*time)} : std::nullopt;
}

Result<std::optional<InboxRow>> find(Connection& connection, const InboxKey& key) {
    std::vector<InboxRow> found;
    if (const auto done = find_on(connection, key.event_day, {&key.dedup_key, 1}, found); !done) {
        return Failure{done.error()};
    }
    if (!found.empty()) return std::move(found.front());
    const auto older = remembered(connection, key);
    if (!older) return Failure{older.error()};
    if (!*older) return std::nullopt;
    InboxRow row;
    row.key = key;
    row.content_digest = (*older)->content_digest;
    row.source = (*older)->source;
    return row;
}

Result<std::optional<InboxRow>> find_locked(Connection& connection, const InboxKey& key) {
    const std::array<Datum, 2> parameters{key.event_day, digest_datum(key.dedup_key)};
    const auto rows = connection.query(select_row() + "dedup_key = ? FOR UPDATE", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return inbox_row(rows->front());
}

Result<std::vector<InboxRow>> find_on_any_day(Connection& connection,
                                              std::span<const crypto::Digest> dedup_keys) {
    std::vector<InboxRow> found;
    std::optional<std::chrono::sys_days> day{record::undated};
    while (day && !dedup_keys.empty()) {
        if (const auto done = find_on(connection, *day, dedup_keys, found); !done) {
            return Failure{done.error()};
        }
        const auto next = next_inbox_day(connection, *day);
        if (!next) return Failure{next.error()};
        day = *next;
    }
    return found;
}

Result<std::optional<std::chrono::sys_days>> dropped_before(Connection& connection) {
    const auto value = read_meta(connection, meta::dropped_before);
    if (!value) return Failure{value.error()};
    if (!*value) return std::nullopt;
    return day_from_text((*value)->text);
}

}  // namespace sluice::store
