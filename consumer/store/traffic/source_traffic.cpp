#include "consumer/store/traffic/source_traffic.hpp"

#include <array>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {

Result<void> add_traffic(Connection& connection, std::string_view source, const silence::HourTraffic& traffic,
                         WallTime last) {
    const std::array<Datum, 6> parameters{Bytes{source}, WallTime{traffic.hour}, traffic.events,
                                          last,          traffic.events,         last};
    const auto done = connection.execute(
        "INSERT INTO source_traffic (source, hour, events, last_at) VALUES (?, ?, ?, ?)"
        " ON DUPLICATE KEY UPDATE events = events + ?, last_at = GREATEST(last_at, ?)",
        parameters);
    if (!done) return Failure{done.error()};
    return {};
}

Result<std::vector<NewestOfSource>> newest_by_source(Connection& connection) {
    const auto rows = connection.query(
        "SELECT newest.source, source_traffic.last_at FROM (SELECT source, MAX(hour) AS hour FROM "
        "source_traffic GROUP BY source) AS newest JOIN source_traffic USING (source, hour)"
        " ORDER BY newest.source",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<NewestOfSource> sources;
    for (const Row& row : *rows) sources.push_back({text_column(row.at(0)), std::get<WallTime>(row.at(1))});
    return sources;
}

Result<std::vector<silence::HourTraffic>> traffic_of(Connection& connection, std::string_view source,
                                                     WallTime since) {
    const std::array<Datum, 2> parameters{Bytes{source}, since};
    const auto rows = connection.query(
        "SELECT hour, events FROM source_traffic WHERE source = ? AND hour >= ? ORDER BY hour", parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<silence::HourTraffic> hours;
    for (const Row& row : *rows)
        hours.push_back({std::chrono::floor<std::chrono::hours>(std::get<WallTime>(row.at(0))),
                         std::get<std::int64_t>(row.at(1))});
    return hours;
}

Result<silence::UsualTraffic> usual_traffic(Connection& connection, const NewestOfSource& newest) {
    const auto until = std::chrono::floor<std::chrono::hours>(newest.at);
    const auto hours =
        traffic_of(connection, newest.source, until - std::chrono::weeks{silence::weeks_learned});
    if (!hours) return Failure{hours.error()};
    return silence::UsualTraffic{*hours, until};
}

Result<std::int64_t> delete_old_traffic(Connection& connection, WallTime now) {
    const WallTime cutoff = now - std::chrono::weeks{12};
    constexpr std::int64_t chunk = 1000;
    std::int64_t deleted = 0;
    for (std::int64_t last = chunk; last == chunk; deleted += last) {
        const std::array<Datum, 2> parameters{cutoff, chunk};
        const auto done = connection.execute("DELETE FROM source_traffic WHERE hour < ? LIMIT ?", parameters);
        if (!done) return Failure{done.error()};
        last = *done;
    }
    return deleted;
}

}  // namespace sluice::store
