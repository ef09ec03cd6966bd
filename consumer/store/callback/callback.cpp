#include "consumer/store/callback/callback.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "common/time_text.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t most_rows = 1000;
constexpr std::size_t most_statement_bytes = std::size_t{2} << 20;
constexpr std::chrono::days redelivered_within{3};
constexpr std::array<std::size_t, 5> key_sizes{1, 8, 32, 128, 512};

constexpr std::string_view callback_head =
    "INSERT INTO callback (received_day, log, partition_no, offset_no, number, received_at, source, verdict, "
    "reason, status, client, requests, trace, body_size, took_us, headers, body, event_id, type, object_key, "
    "object_hash, event_day, dedup_key, body_hash, occurred_at, payment, amount, currency) VALUES ";
constexpr std::string_view callback_tail = " ON DUPLICATE KEY UPDATE number = VALUES(number)";
constexpr std::size_t event_columns = 11;

Datum number_or_null(std::optional<std::int64_t> number) {
    return number ? Datum{*number} : Datum{nullptr};
}

void append_event(std::vector<Datum>& row, const std::optional<CallbackEvent>& event) {
    if (!event) return row.resize(row.size() + event_columns, nullptr);
    row.insert(row.end(), {bytes_or_null(event->id, 255), bytes_or_null(event->type, 128),
                           bytes_or_null(event->object_key, 512), object_hash(event->object_key), event->day,
                           digest_datum(event->dedup_key),
                           event->body_hash ? digest_datum(*event->body_hash) : Datum{nullptr},
                           time_datum(event->occurred_at), bytes_or_null(event->payment, 16),
                           number_or_null(event->amount), bytes_or_null(event->currency, 8)});
}

void append_columns(std::vector<Datum>& row, const CallbackEntry& entry) {
    const CallbackPlace& at = entry.place;
    const bool has_trace = entry.trace.size() == 16;
    row.insert(
        row.end(),
        {day_of(entry.received_at), std::int64_t{std::to_underlying(at.log)}, std::int64_t{at.partition},
         at.offset, at.number, entry.received_at, Bytes{entry.source.substr(0, 64)},
         Bytes{entry.verdict.substr(0, 32)}, bytes_or_null(entry.reason, 64), number_or_null(entry.status),
         bytes_or_null(entry.client, 45), entry.requests,
         has_trace ? Datum{Bytes{entry.trace}} : Datum{nullptr}, number_or_null(entry.body_size),
         number_or_null(entry.took_us), whole_or_null(entry.headers),
         entry.body ? Datum{Bytes{*entry.body}} : Datum{nullptr}});
    append_event(row, entry.event);
}

/// The INSERT of the first entries, at least one, and how many they are.
std::size_t write_insert(std::string& sql, std::span<const CallbackEntry> entries) {
    sql = callback_head;
    std::vector<Datum> row;
    std::size_t count = 0;
    while (count < std::min(entries.size(), most_rows) && sql.size() < most_statement_bytes) {
        row.clear();
        append_columns(row, entries[count]);
        if (count > 0) sql += ',';
        append_row(sql, row);
        ++count;
    }
    sql += callback_tail;
    return count;
}

}  // namespace

Result<void> insert_callbacks(Connection& connection, std::span<const CallbackEntry> entries) {
    std::string sql;
    while (!entries.empty()) {
        const std::size_t written = write_insert(sql, entries);
        if (const auto done = connection.run(sql); !done) return Failure{done.error()};
        entries = entries.subspan(written);
    }
    return {};
}

Result<std::set<crypto::Digest>> kept_duplicates(Connection& connection,
                                                 std::span<const crypto::Digest> events,
                                                 std::chrono::sys_days day) {
    std::set<crypto::Digest> kept;
    while (!events.empty()) {
        const auto some = events.first(std::min(events.size(), key_sizes.back()));
        std::vector<Datum> parameters{day - redelivered_within, day};
        for (const crypto::Digest& event : some) parameters.push_back(digest_datum(event));
        const std::size_t asked = fitting_size(some.size(), key_sizes);
        parameters.resize(2 + asked, parameters.back());
        const auto rows = connection.query(
            "SELECT DISTINCT dedup_key FROM callback WHERE received_day BETWEEN ? AND ? AND verdict = "
            "'duplicate'"
            " AND body IS NOT NULL AND dedup_key IN (" +
                parameter_list(asked) + ")",
            parameters);
        if (!rows) return Failure{rows.error()};
        for (const Row& row : *rows) kept.insert(digest_column(row.at(0)));
        events = events.subspan(some.size());
    }
    return kept;
}

namespace {

constexpr std::string_view with_kept_request =
    " WHERE object_hash = ? AND object_key = ? AND (headers IS NOT NULL OR body IS NOT NULL)";

}  // namespace

Result<std::int64_t> count_kept_requests(Connection& connection, std::string_view object_key) {
    const std::array<Datum, 2> parameters{object_hash(object_key), Bytes{object_key.substr(0, 512)}};
    const auto rows =
        connection.query(std::string{"SELECT COUNT(*) FROM callback"}.append(with_kept_request), parameters);
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->at(0).at(0));
}

Result<std::int64_t> erase_kept_requests(Connection& connection, std::string_view object_key,
                                         std::int64_t limit) {
    const std::array<Datum, 3> parameters{object_hash(object_key), Bytes{object_key.substr(0, 512)}, limit};
    return connection.execute(std::string{"UPDATE callback SET headers = NULL, body = NULL"}
                                  .append(with_kept_request)
                                  .append(" LIMIT ?"),
                              parameters);
}

std::int64_t object_hash(std::string_view object_key) {
    const crypto::Digest digest = crypto::sha256(object_key);
    std::uint64_t first = 0;
    std::memcpy(&first, digest.data(), sizeof(first));
    if constexpr (std::endian::native == std::endian::little) first = std::byteswap(first);
    return std::bit_cast<std::int64_t>(first);
}

}  // namespace sluice::store
