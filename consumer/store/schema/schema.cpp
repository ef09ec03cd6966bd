#include "consumer/store/schema/schema.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/schema/migration.hpp"

namespace sluice::store {
namespace {

using VerdictKind = SchemaVerdict::Kind;

/// A missing table or right is work in progress elsewhere; anything else is an error.
Result<SchemaVerdict> wait_or_fail(const Connection& connection, std::error_code error) {
    if (class_of(error) != ErrorClass::schema) return Failure{error};
    return SchemaVerdict{VerdictKind::wait, "the database " + connection.database() +
                                                " is not ready: " + connection.last_error().message +
                                                "; run `sluicectl migrate` or grant the right"};
}

Result<SchemaVerdict> check_migrations(Connection& connection) {
    const auto plan = plan_migrations(connection);
    if (!plan) return wait_or_fail(connection, plan.error());
    if (!plan->problems.empty()) return SchemaVerdict{VerdictKind::refuse, plan->problems.front()};
    if (plan->pending.empty()) return SchemaVerdict{};
    return SchemaVerdict{VerdictKind::wait, "the database " + connection.database() + " lacks migration " +
                                                std::string{plan->pending.front().name} +
                                                ": run `sluicectl migrate`"};
}

Result<SchemaVerdict> check_server(Connection& connection, std::size_t largest_body) {
    const auto rows = connection.query(
        "SHOW VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_format', 'max_allowed_packet', "
        "'wsrep_on', 'group_replication_group_name', 'group_replication_single_primary_mode')",
        {});
    if (!rows) return wait_or_fail(connection, rows.error());
    std::map<std::string, std::string> variables;
    for (const auto& row : *rows) variables.emplace(text_column(row.at(0)), text_column(row.at(1)));

    auto shortfall = server_shortfall(variables, largest_body);
    if (shortfall.empty()) return SchemaVerdict{};
    return SchemaVerdict{VerdictKind::wait, std::move(shortfall)};
}

Result<SchemaVerdict> check_group(Connection& connection, const std::string& group, WallTime now) {
    auto owner = read_meta(connection, meta::consumer_group);
    if (owner && !*owner) {
        const auto inserted = insert_meta_once(connection, meta::consumer_group, group, now);
        if (!inserted) return wait_or_fail(connection, inserted.error());
        owner = read_meta(connection, meta::consumer_group);
    }
    if (!owner) return wait_or_fail(connection, owner.error());
    if (*owner && (*owner)->text == group) return SchemaVerdict{};
    return SchemaVerdict{VerdictKind::refuse, "the database " + connection.database() +
                                                  " belongs to the consumer group " +
                                                  (*owner ? (*owner)->text : "?") + ", not to " + group +
                                                  ": a database can have only one group"};
}

}  // namespace

std::size_t packet_for(std::size_t largest_body) {
    constexpr std::size_t mebibyte = 1 << 20;
    return std::max(3 * mebibyte, largest_body) + mebibyte;
}

Result<SchemaVerdict> check_schema(Connection& connection, const std::string& group, std::size_t largest_body,
                                   WallTime now) {
    auto verdict = check_migrations(connection);
    if (verdict && verdict->kind == VerdictKind::ready) verdict = check_server(connection, largest_body);
    if (verdict && verdict->kind == VerdictKind::ready) verdict = check_group(connection, group, now);
    return verdict;
}

std::string several_primaries(const std::map<std::string, std::string>& variables) {
    const auto is = [&variables](const std::string& name, std::string_view wanted) {
        const auto found = variables.find(name);
        return found != variables.end() && found->second == wanted;
    };
    if (is("wsrep_on", "ON")) {
        return "the server is a node of a Galera cluster (wsrep_on): locks are held on one node only, and "
               "commits of other nodes may not be visible yet, so events of one object could change places. "
               "Use one primary with replicas";
    }
    const bool is_in_group =
        variables.contains("group_replication_group_name") && !is("group_replication_group_name", "");
    if (is_in_group && is("group_replication_single_primary_mode", "OFF")) {
        return "Group Replication has several primaries: locks are held on one of them only, so events of "
               "one object could change places. Set group_replication_single_primary_mode to ON";
    }
    return {};
}

std::string server_shortfall(const std::map<std::string, std::string>& variables, std::size_t largest_body) {
    const auto value = [&variables](const std::string& name) {
        const auto found = variables.find(name);
        return found != variables.end() ? found->second : std::string{};
    };
    if (value("log_bin") == "ON" && value("binlog_format") == "STATEMENT") {
        return "binlog_format is STATEMENT, which refuses READ COMMITTED: set it to ROW";
    }
    if (auto several = several_primaries(variables); !several.empty()) return several;
    const auto packet = value("max_allowed_packet");
    std::size_t bytes = 0;
    std::from_chars(packet.data(), packet.data() + packet.size(), bytes);
    const std::size_t least = packet_for(largest_body);
    if (bytes < least) {
        return "max_allowed_packet is " + packet + ", and the largest body that a source accepts is " +
               std::to_string(largest_body) + ": set it to " + std::to_string(least) + " or more";
    }
    return {};
}

std::string keep_shortfall(std::chrono::days keep, std::int64_t retention_ms) {
    const auto kept = std::to_string(keep.count()) + "d";
    if (retention_ms < 0) {
        return "inbox.keep is " + kept +
               ", but the topic keeps records forever: set its retention.ms below inbox.keep";
    }
    if (std::chrono::milliseconds{keep}.count() > retention_ms) return {};
    const auto days = std::chrono::ceil<std::chrono::days>(std::chrono::milliseconds{retention_ms});
    return "inbox.keep is " + kept + ", but the topic keeps records for " + std::to_string(days.count()) +
           "d: inbox.keep must be longer";
}

}  // namespace sluice::store
