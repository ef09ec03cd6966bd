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
constexpr std::int64_t most_of_an_object = 5'000;

/// Nobody sent what was polled, and what stands for many is of no object.
constexpr std::string_view is_of_a_provider = " AND verdict <> 'polled'";

/// "received_day BETWEEN ? AND ?", which names the partitions, and the times.
void within(Condition& condition, const Span& span) {
    condition.also("received_day >= ?", day_of(span.from));
    condition.also("received_day <= ?", day_of(span.until));
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

/// Aggregates come as integers or as decimals, which are text.
std::int64_t whole(const OwnedDatum& column) {
    const auto* number = std::get_if<std::int64_t>(&column);
    return number != nullptr ? *number : std::stoll(text_column(column));
}

Shared shared_of(const Row& row) {
    return {.subject = text_column(row.at(0)),
            .first = std::get<WallTime>(row.at(1)),
            .last = std::get<WallTime>(row.at(2)),
            .callbacks = whole(row.at(3)),
            .different = whole(row.at(4)),
            .examples = text_column(row.at(5))};
}

ObjectCallback object_callback_of(const Row& row) {
    ObjectCallback one{.received_at = std::get<WallTime>(row.at(0)),
                       .is_accepted = text_column(row.at(1)) == "accepted",
                       .event_id = text_column(row.at(2)),
                       .occurred_at = time_column(row.at(3)),
                       .payment = text_column(row.at(4)),
                       .amount = {},
                       .currency = text_column(row.at(6))};
    if (const auto* amount = std::get_if<std::int64_t>(&row.at(5))) one.amount = *amount;
    return one;
}

}  // namespace

Result<std::vector<std::int64_t>> strange_objects(Connection& connection,
                                                  std::span<const std::int64_t> objects, const Span& bursts,
                                                  const Span& payments, int most) {
    std::vector<std::int64_t> strange;
    const Span both{std::min(bursts.from, payments.from), std::max(bursts.until, payments.until)};
    auto done = in_parts(objects, [&](std::span<const std::int64_t> part) -> Result<void> {
        Condition condition;
        among(condition, "object_hash", {part.begin(), part.end()});
        within(condition, both);
        condition.sql.append(is_of_a_provider);
        condition.sql.append(" GROUP BY object_hash HAVING SUM(received_at >= ? AND received_at <= ?) > ?");
        condition.parameters.insert(condition.parameters.end(),
                                    {bursts.from, bursts.until, std::int64_t{most}});
        const auto rows =
            ask(connection, "SELECT object_hash FROM callback", condition,
                " OR COUNT(DISTINCT IF(payment = 'paid', CONCAT(amount, ' ', currency), NULL)) > 1"
                " OR (SUM(payment = 'paid') > 0 AND SUM(payment = 'closed') > 0)");
        if (!rows) return Failure{rows.error()};
        for (const Row& row : *rows) strange.push_back(whole(row.at(0)));
        return {};
    });
    if (!done) return Failure{done.error()};
    return strange;
}

Result<std::vector<ObjectCallback>> callbacks_of_object(Connection& connection, std::int64_t object,
                                                        const Span& span) {
    Condition condition;
    condition.also("object_hash = ?", object);
    within(condition, span);
    condition.sql.append(is_of_a_provider);
    condition.parameters.emplace_back(most_of_an_object);
    const auto rows = ask(connection,
                          "SELECT received_at, verdict, event_id, occurred_at, payment, amount, currency "
                          "FROM callback",
                          condition, " ORDER BY received_at DESC LIMIT ?");
    if (!rows) return Failure{rows.error()};
    std::vector<ObjectCallback> callbacks;
    std::ranges::transform(*rows, std::back_inserter(callbacks), object_callback_of);
    std::ranges::reverse(callbacks);
    return callbacks;
}

Result<std::vector<Shared>> contents_of_several_events(Connection& connection,
                                                       std::span<const crypto::Digest> contents,
                                                       const Span& span) {
    std::vector<Shared> found;
    auto done = in_parts(contents, [&](std::span<const crypto::Digest> part) -> Result<void> {
        Condition condition;
        std::vector<Datum> values;
        for (const crypto::Digest& content : part) values.push_back(digest_datum(content));
        among(condition, "content_digest", std::move(values));
        within(condition, span);
        const auto rows =
            ask(connection,
                "SELECT content_digest, MIN(received_at), MAX(received_at), COUNT(*),"
                " COUNT(DISTINCT dedup_key), GROUP_CONCAT(DISTINCT event_id ORDER BY event_id) FROM callback",
                condition,
                " AND verdict = 'accepted' GROUP BY content_digest HAVING COUNT(DISTINCT dedup_key) > 1");
        if (!rows) return Failure{rows.error()};
        std::ranges::transform(*rows, std::back_inserter(found), shared_of);
        return {};
    });
    if (!done) return Failure{done.error()};
    return found;
}

Result<std::vector<Shared>> clients_that_fail(Connection& connection,
                                              std::span<const std::string_view> clients, const Span& span,
                                              int least) {
    std::vector<Shared> found;
    auto done = in_parts(clients, [&](std::span<const std::string_view> part) -> Result<void> {
        Condition condition;
        std::vector<Datum> values;
        for (const std::string_view client : part) values.emplace_back(Bytes{client});
        among(condition, "client", std::move(values));
        within(condition, span);
        condition.sql.append(
            " AND verdict = 'refused_signature' GROUP BY client HAVING COUNT(DISTINCT source) >= ?");
        condition.parameters.emplace_back(std::int64_t{least});
        const auto rows =
            ask(connection,
                "SELECT client, MIN(received_at), MAX(received_at), SUM(requests), COUNT(DISTINCT source),"
                " GROUP_CONCAT(DISTINCT source ORDER BY source) FROM callback",
                condition, "");
        if (!rows) return Failure{rows.error()};
        std::ranges::transform(*rows, std::back_inserter(found), shared_of);
        return {};
    });
    if (!done) return Failure{done.error()};
    return found;
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
