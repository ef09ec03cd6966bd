#include "consumer/store/callback/anomaly.hpp"

#include <algorithm>
#include <array>

#include "common/time_text.hpp"
#include "consumer/store/driver/condition.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t most_asked = 512;
constexpr std::array<std::size_t, 5> asked_sizes{1, 8, 32, 128, most_asked};
constexpr std::int64_t most_of_a_subject = 5'000;
constexpr std::int64_t most_payments = 1'000;

/// The days name the partitions.
void within_days(Condition& condition, const Span& span) {
    condition.also("received_day >= ?", day_of(span.from));
    condition.also("received_day <= ?", day_of(span.until));
}

void within(Condition& condition, const Span& span) {
    within_days(condition, span);
    condition.also("received_at >= ?", span.from);
    condition.also("received_at <= ?", span.until);
}

/// " AND column IN (?, …)": the last value fills it up.
void among(Condition& condition, std::string_view column, std::vector<Datum> values) {
    const std::size_t asked = fitting_size(values.size(), asked_sizes);
    values.resize(asked, values.back());
    condition.sql.append(" AND ").append(column).append(" IN (").append(parameter_list(asked)).append(")");
    condition.parameters.insert(condition.parameters.end(), values.begin(), values.end());
}

/// `of_part` for each part of `all` that one statement takes.
template <class Value, class OfPart>
Result<void> in_parts(std::span<const Value> all, OfPart of_part) {
    while (!all.empty()) {
        const auto part = all.first(std::min(all.size(), most_asked));
        if (auto done = of_part(part); !done) return done;
        all = all.subspan(part.size());
    }
    return {};
}

Result<std::vector<Row>> ask(Connection& connection, std::string_view select, const Condition& condition,
                             std::string_view tail) {
    return connection.query(std::string{select}.append(" WHERE TRUE").append(condition.sql).append(tail),
                            condition.parameters);
}

/// The newest of them, in order.
Result<std::vector<Row>> newest(Connection& connection, std::string_view select, Condition condition,
                                std::int64_t most) {
    condition.parameters.emplace_back(most);
    auto rows = ask(connection, select, condition, " ORDER BY received_at DESC LIMIT ?");
    if (rows) std::ranges::reverse(*rows);
    return rows;
}

Result<std::vector<Occurrence>> occurrences(Connection& connection, std::string_view select,
                                            const Condition& condition, std::int64_t most) {
    const auto rows = newest(connection, select, condition, most);
    if (!rows) return Failure{rows.error()};
    std::vector<Occurrence> found;
    for (const Row& row : *rows) found.push_back({std::get<WallTime>(row.at(0)), text_column(row.at(1))});
    return found;
}

ObjectPayment payment_of(const Row& row) {
    return {.received_at = std::get<WallTime>(row.at(0)),
            .event_id = text_column(row.at(1)),
            .occurred_at = time_column(row.at(2)),
            .payment = text_column(row.at(3)),
            .amount = number_or_none(row.at(4)),
            .currency = text_column(row.at(5))};
}

Result<std::vector<std::int64_t>> objects_having(Connection& connection,
                                                 std::span<const std::int64_t> objects,
                                                 const Condition& among_all, std::int64_t more_than) {
    std::vector<std::int64_t> found;
    auto done = in_parts(objects, [&](std::span<const std::int64_t> part) -> Result<void> {
        Condition condition;
        among(condition, "object_hash", {part.begin(), part.end()});
        condition.sql += among_all.sql;
        condition.parameters.insert(condition.parameters.end(), among_all.parameters.begin(),
                                    among_all.parameters.end());
        condition.parameters.emplace_back(more_than);
        const auto rows = ask(connection, "SELECT object_hash FROM callback", condition,
                              " GROUP BY object_hash HAVING COUNT(*) > ?");
        if (!rows) return Failure{rows.error()};
        for (const Row& row : *rows) found.push_back(std::get<std::int64_t>(row.at(0)));
        return {};
    });
    if (!done) return Failure{done.error()};
    return found;
}

}  // namespace

Result<std::vector<std::int64_t>> busy_objects(Connection& connection, std::span<const std::int64_t> objects,
                                               const Span& span, int most) {
    Condition condition;
    within(condition, span);
    return objects_having(connection, objects, condition, most);
}

Result<std::vector<WallTime>> callbacks_of_object(Connection& connection, std::int64_t object,
                                                  const Span& span) {
    Condition condition;
    condition.also("object_hash = ?", object);
    within(condition, span);
    condition.sql += " AND verdict NOT IN ('polled', 'not_acked')";
    const auto rows =
        newest(connection, "SELECT received_at FROM callback", std::move(condition), most_of_a_subject);
    if (!rows) return Failure{rows.error()};
    std::vector<WallTime> times;
    for (const Row& row : *rows) times.push_back(std::get<WallTime>(row.at(0)));
    return times;
}

Result<std::vector<std::int64_t>> objects_with_payments(Connection& connection,
                                                        std::span<const std::int64_t> objects,
                                                        const Span& span) {
    Condition condition;
    condition.sql = " AND payment IN ('paid', 'closed')";
    within_days(condition, span);
    return objects_having(connection, objects, condition, 1);
}

Result<std::vector<ObjectPayment>> payments_of_object(Connection& connection, std::int64_t object,
                                                      const Span& span) {
    Condition condition;
    condition.also("object_hash = ?", object);
    condition.sql += " AND payment IN ('paid', 'closed') AND verdict = 'accepted'";
    within(condition, span);
    const auto rows = newest(
        connection, "SELECT received_at, event_id, occurred_at, payment, amount, currency FROM callback",
        std::move(condition), most_payments);
    if (!rows) return Failure{rows.error()};
    std::vector<ObjectPayment> payments;
    std::ranges::transform(*rows, std::back_inserter(payments), payment_of);
    return payments;
}

Result<std::vector<crypto::Digest>> repeated_bodies(Connection& connection,
                                                    std::span<const crypto::Digest> bodies,
                                                    const Span& span) {
    std::vector<crypto::Digest> found;
    auto done = in_parts(bodies, [&](std::span<const crypto::Digest> part) -> Result<void> {
        Condition condition;
        std::vector<Datum> values;
        for (const crypto::Digest& body : part) values.push_back(digest_datum(body));
        among(condition, "body_hash", std::move(values));
        within_days(condition, span);
        const auto rows = ask(connection, "SELECT body_hash FROM callback", condition,
                              " GROUP BY body_hash HAVING COUNT(*) > 1");
        if (!rows) return Failure{rows.error()};
        for (const Row& row : *rows) found.push_back(digest_column(row.at(0)));
        return {};
    });
    if (!done) return Failure{done.error()};
    return found;
}

Result<std::vector<Occurrence>> events_with_body(Connection& connection, const crypto::Digest& body,
                                                 const Span& span) {
    Condition condition;
    condition.also("body_hash = ?", digest_datum(body));
    within(condition, span);
    condition.sql += " AND verdict = 'accepted'";
    return occurrences(connection, "SELECT received_at, event_id FROM callback", condition, most_payments);
}

Result<std::vector<std::string>> failing_clients(Connection& connection,
                                                 std::span<const std::string_view> clients, const Span& span,
                                                 std::size_t least) {
    std::vector<std::string> found;
    auto done = in_parts(clients, [&](std::span<const std::string_view> part) -> Result<void> {
        Condition condition;
        std::vector<Datum> values;
        for (const std::string_view client : part) values.emplace_back(Bytes{client});
        among(condition, "client", std::move(values));
        within(condition, span);
        condition.parameters.emplace_back(static_cast<std::int64_t>(least));
        const auto rows = ask(connection, "SELECT client FROM callback", condition,
                              " AND verdict = 'refused_signature' GROUP BY client"
                              " HAVING COUNT(DISTINCT source) >= ?");
        if (!rows) return Failure{rows.error()};
        for (const Row& row : *rows) found.push_back(text_column(row.at(0)));
        return {};
    });
    if (!done) return Failure{done.error()};
    return found;
}

Result<std::vector<Occurrence>> failures_of_client(Connection& connection, std::string_view client,
                                                   const Span& span) {
    Condition condition;
    condition.also("client = ?", Bytes{client});
    within(condition, span);
    condition.sql += " AND verdict = 'refused_signature'";
    return occurrences(connection, "SELECT received_at, source FROM callback", condition, most_of_a_subject);
}

Result<bool> note_anomaly(Connection& connection, const AnomalyEntry& entry, std::chrono::seconds lasts) {
    const crypto::Digest hash = crypto::sha256(entry.subject);
    const std::array<Datum, 4> asked{Bytes{entry.kind}, digest_datum(hash), WallTime{entry.last + lasts},
                                     WallTime{entry.began - lasts}};
    const auto known = connection.query(
        "SELECT id FROM anomaly WHERE kind = ? AND subject_hash = ? AND began_at <= ? AND last_at >= ?"
        " ORDER BY began_at LIMIT 1",
        asked);
    if (!known) return Failure{known.error()};
    if (!known->empty()) {
        const std::array<Datum, 4> more{entry.last, entry.callbacks, Bytes{entry.detail.substr(0, 1024)},
                                        std::get<std::int64_t>(known->front().at(0))};
        const auto done = connection.execute(
            "UPDATE anomaly SET last_at = GREATEST(last_at, ?), callbacks = GREATEST(callbacks, ?), detail = "
            "?"
            " WHERE id = ?",
            more);
        if (!done) return Failure{done.error()};
        return false;
    }
    const std::array<Datum, 8> row{Bytes{entry.kind.substr(0, 32)},
                                   Bytes{entry.subject.substr(0, 512)},
                                   digest_datum(hash),
                                   Bytes{entry.source.substr(0, 64)},
                                   entry.began,
                                   entry.last,
                                   entry.callbacks,
                                   Bytes{entry.detail.substr(0, 1024)}};
    const auto done = connection.execute(
        "INSERT INTO anomaly (kind, subject, subject_hash, source, began_at, last_at, callbacks, detail)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        row);
    if (!done) return Failure{done.error()};
    return true;
}

Result<std::vector<AnomalyRow>> list_anomalies(Connection& connection, const AnomalyFilter& filter) {
    Condition condition;
    condition.also_text("kind = ?", filter.kind);
    condition.also_text("subject = ?", filter.subject, 512);
    condition.also_text("source = ?", filter.source);
    if (filter.since) condition.also("last_at >= ?", *filter.since);
    condition.parameters.emplace_back(filter.limit);
    const auto rows = ask(connection,
                          "SELECT id, kind, subject, source, began_at, last_at, callbacks, detail, found_at "
                          "FROM anomaly",
                          condition, " ORDER BY last_at DESC, id DESC LIMIT ?");
    if (!rows) return Failure{rows.error()};
    std::vector<AnomalyRow> anomalies;
    for (const Row& row : *rows)
        anomalies.push_back({.id = std::get<std::int64_t>(row.at(0)),
                             .kind = text_column(row.at(1)),
                             .subject = text_column(row.at(2)),
                             .source = text_column(row.at(3)),
                             .began = std::get<WallTime>(row.at(4)),
                             .last = std::get<WallTime>(row.at(5)),
                             .callbacks = std::get<std::int64_t>(row.at(6)),
                             .detail = text_column(row.at(7)),
                             .found = std::get<WallTime>(row.at(8))});
    std::ranges::reverse(anomalies);
    return anomalies;
}

Result<std::int64_t> delete_anomalies(Connection& connection, WallTime cutoff) {
    constexpr std::int64_t chunk = 1000;
    std::int64_t deleted = 0;
    for (std::int64_t last = chunk; last == chunk; deleted += last) {
        const std::array<Datum, 2> parameters{cutoff, chunk};
        const auto done = connection.execute("DELETE FROM anomaly WHERE last_at < ? LIMIT ?", parameters);
        if (!done) return Failure{done.error()};
        last = *done;
    }
    return deleted;
}

}  // namespace sluice::store
