#include <algorithm>
#include <array>

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane.hpp"

// The unlocked reads of consumer/store/lane/lane.hpp.
namespace sluice::store {
namespace {

constexpr std::array<std::size_t, 5> lane_sizes{1, 8, 32, 128, 512};

// In a healthy fleet next to no lane is busy: to name those few costs less than to ask for each of so many.
constexpr std::size_t few = 64;
constexpr std::size_t many_asked = 8;

std::string busy_statement(std::size_t keys) {
    return "SELECT lane_key FROM lane WHERE lane_key IN (" + parameter_list(keys) + ") AND unfinished > 0";
}

std::vector<LaneKey> keys_of(const std::vector<Row>& rows) {
    std::vector<LaneKey> keys;
    for (const auto& columns : rows) keys.push_back(digest_column(columns.at(0)));
    return keys;
}

/// Up to 512 keys; the last one repeated fills the statement.
Result<std::vector<LaneKey>> look_at(Connection& connection, std::span<const LaneKey> keys) {
    std::vector<Datum> parameters;
    for (const auto& key : keys) parameters.push_back(digest_datum(key));
    parameters.resize(fitting_size(keys.size(), lane_sizes), parameters.back());
    return connection.query(busy_statement(parameters.size()), parameters).transform(keys_of);
}

/// All busy lanes there are; with `few + 1` of them, not all.
Result<std::vector<LaneKey>> look_at_all(Connection& connection) {
    static const std::string statement =
        "SELECT lane_key FROM lane FORCE INDEX (lane_idle) WHERE unfinished > 0 LIMIT " +
        std::to_string(few + 1);
    return connection.query(statement, {}).transform(keys_of);
}

Result<std::vector<LaneKey>> look_at_each(Connection& connection, std::span<const LaneKey> keys) {
    std::vector<LaneKey> busy;
    while (!keys.empty()) {
        const auto chunk = keys.first(std::min(keys.size(), lane_sizes.back()));
        const auto found = look_at(connection, chunk);
        if (!found) return Failure{found.error()};
        busy.insert(busy.end(), found->begin(), found->end());
        keys = keys.subspan(chunk.size());
    }
    return busy;
}

}  // namespace

Result<std::vector<LaneKey>> busy_lanes(Connection& connection, std::size_t count,
                                        const std::function<std::vector<LaneKey>()>& make_keys) {
    if (count < many_asked) return look_at_each(connection, make_keys());
    auto all = look_at_all(connection);
    if (!all || all->empty()) return all;
    const std::vector<LaneKey> keys = make_keys();
    if (all->size() > few) return look_at_each(connection, keys);
    std::erase_if(*all, [&keys](const LaneKey& key) { return !std::ranges::contains(keys, key); });
    return all;
}

Result<std::vector<LaneKey>> busy_lanes(Connection& connection, std::span<const LaneKey> keys) {
    return busy_lanes(connection, keys.size(), [keys] { return std::vector(keys.begin(), keys.end()); });
}

Result<std::vector<OverdueLane>> overdue_lanes(Connection& connection, WallTime before) {
    const std::array<Datum, 1> parameters{before};
    const auto rows = connection.query(
        "SELECT lane_key, object_key, generation FROM lane WHERE wakeup_due < ? ORDER BY wakeup_due LIMIT "
        "500",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<OverdueLane> overdue;
    for (const auto& columns : *rows) {
        overdue.push_back({digest_column(columns.at(0)), text_column(columns.at(1)),
                           std::get<std::int64_t>(columns.at(2))});
    }
    return overdue;
}

}  // namespace sluice::store
