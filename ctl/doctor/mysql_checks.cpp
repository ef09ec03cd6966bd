#include "ctl/doctor/mysql_checks.hpp"

#include <algorithm>

#include "common/time_text.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/inbox/day_partitions.hpp"
#include "ctl/cli/database.hpp"

namespace sluice::ctl {
namespace {

constexpr std::string_view variables_query =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_flush_log_at_trx_commit', "
    "'sync_binlog', 'log_bin', "
    "'binlog_format', 'replica_preserve_commit_order', 'slave_parallel_mode', 'read_only', "
    "'super_read_only', "
    "'max_allowed_packet', 'wsrep_on', 'group_replication_group_name', "
    "'group_replication_single_primary_mode', 'max_prepared_stmt_count')";

// What an account must be allowed to change by which consumers come.
constexpr std::string_view of_a_consumer = "UPDATE inbox SET status = status WHERE FALSE";

constexpr std::string_view statements_query = "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'";

std::string text_of(const store::OwnedDatum& column) {
    const auto* text = std::get_if<std::string>(&column);
    return text != nullptr ? *text : std::string{};
}

/// Questions that fail because a table is not there yet are answered by "nothing"; `migrations` says why.
class Questions {
public:
    explicit Questions(store::Connection& connection) : connection_{connection} {}

    [[nodiscard]] Result<MysqlFacts> ask(WallTime now) {
        MysqlFacts facts;
        facts.is_mariadb = connection_.is_mariadb();
        const auto variables = connection_.query(variables_query, {});
        if (!variables) return Failure{variables.error()};
        for (const auto& row : *variables) facts.variables[text_of(row[0])] = text_of(row[1]);
        if (const auto status = connection_.query(statements_query, {}); status && !status->empty())
            facts.prepared_statements = std::strtoll(text_of(status->front().at(1)).c_str(), nullptr, 10);
        auto plan = store::plan_migrations(connection_);
        if (!plan) return Failure{plan.error()};
        facts.migrations = std::move(*plan);
        if (const auto group = store::read_meta(connection_, store::meta::consumer_group); group && *group)
            facts.group = (*group)->text;
        if (const auto days = store::read_partitions(connection_, "inbox"); days && !days->empty()) {
            facts.days_ahead = store::days_ahead(*days, day_of(now));
        }
        const auto time = connection_.query("SELECT UTC_TIMESTAMP(6)", {});
        if (time && !time->empty()) facts.time = std::get<WallTime>(time->front().front());
        auto waiting = store::count_messages(connection_, {.state = store::MessageState::waiting});
        if (waiting) facts.waiting = std::move(*waiting);
        return facts;
    }

private:
    store::Connection& connection_;
};

}  // namespace

Findings check_mysql(const config::MysqlSettings& settings, const MysqlDemands& demands, const Clock& clock) {
    store::ServerError error;
    const auto connection = store::Connection::open(settings, &error);
    if (!connection) return {{"mysql", Level::fail, complaint_of(settings, error)}};
    const auto facts = Questions{**connection}.ask(clock.wall());
    if (!facts) return {{"mysql", Level::fail, complaint_of(settings, (*connection)->last_error())}};
    Findings findings{{"mysql", Level::ok, settings.host + ":" + std::to_string(settings.port) + " answers"}};
    append(findings, judge_mysql(*facts, demands, clock.wall()));
    return findings;
}

Findings check_effects(const config::MysqlSettings& settings, const effects::EffectSet& effects) {
    const auto connection = store::Connection::open(settings);
    if (!connection) return {};  // check_mysql said so
    config::Problems problems;
    const auto missing = effects.check(**connection, problems);
    if (!missing)
        return {{"mysql.effects", Level::fail, complaint_of(settings, (*connection)->last_error())}};
    if (problems.any()) {
        Findings findings;
        for (const auto& error : problems.errors()) findings.push_back({"mysql.effects", Level::fail, error});
        return findings;
    }
    const auto other = std::ranges::find(*missing, false, &effects::Lack::is_right);
    if (other != missing->end()) return {{"mysql.effects", Level::fail, other->sentence}};
    if (!missing->empty() && (*connection)->check(of_a_consumer))
        return {{"mysql.effects", Level::fail, missing->front().sentence}};
    if (!missing->empty())
        return {
            {"mysql.effects", Level::warn,
             "not checked: this account lacks rights that the consumer's has: " + missing->front().sentence}};
    return {{"mysql.effects", Level::ok,
             "the statements of " + std::to_string(effects.size()) + " effects can run"}};
}

}  // namespace sluice::ctl
