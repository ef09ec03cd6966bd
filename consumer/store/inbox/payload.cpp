#include "consumer/store/inbox/payload.hpp"

#include <array>
#include <vector>

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t most_bytes = std::size_t{2} << 20;

const RowStatements& payload_statements() {
    static const RowStatements statements{
        "INSERT INTO event_payload (event_day, dedup_key, headers, body) VALUES", "(?, ?, ?, ?)",
        " ON DUPLICATE KEY UPDATE headers = VALUES(headers), body = VALUES(body)"};
    return statements;
}

std::size_t size_of(const PayloadEntry& entry) {
    return entry.headers.size() + entry.body.size();
}

/// How many of the first entries go together: at least one.
std::size_t fitting(std::span<const PayloadEntry> entries) {
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (const auto& entry : entries) {
        bytes += size_of(entry);
        if (count > 0 && bytes > most_bytes) break;
        ++count;
    }
    return count;
}

}  // namespace

Result<void> insert_payloads(Connection& connection, std::span<const PayloadEntry> entries) {
    std::vector<Datum> parameters;
    while (!entries.empty()) {
        const auto rows = cut_rows(fitting(entries)).front();
        parameters.clear();
        for (const auto& entry : entries.first(rows)) {
            parameters.insert(parameters.end(),
                              {entry.key.event_day, Bytes{crypto::as_text(entry.key.dedup_key)},
                               Bytes{entry.headers}, Bytes{entry.body}});
        }
        const auto done = connection.execute(payload_statements().of(rows), parameters);
        if (!done) return Failure{done.error()};
        entries = entries.subspan(rows);
    }
    return {};
}

Result<std::optional<Payload>> find_payload(Connection& connection, const InboxKey& key) {
    const std::array<Datum, 2> parameters{key.event_day, Bytes{crypto::as_text(key.dedup_key)}};
    const auto rows = connection.query(
        "SELECT headers, body FROM event_payload WHERE event_day = ? AND dedup_key = ?", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return Payload{text_column(rows->front().at(0)), text_column(rows->front().at(1))};
}

}  // namespace sluice::store
