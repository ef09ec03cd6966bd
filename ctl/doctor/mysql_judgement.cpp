#include <algorithm>
#include <format>

#include "consumer/store/schema/schema.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/doctor/mysql_checks.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::minutes long_for_a_message{10};

class Judge {
public:
    explicit Judge(const MysqlFacts& facts) : facts_{facts} {}

    [[nodiscard]] std::string value(const std::string& name) const {
        const auto found = facts_.variables.find(name);
        return found == facts_.variables.end() ? "" : found->second;
    }
    [[nodiscard]] bool is_on(const std::string& name) const {
        return value(name) == "ON" || value(name) == "1";
    }
    void find(const std::string& check, Level level, std::string sentence) {
        findings_.push_back({"mysql." + check, level, std::move(sentence)});
    }
    void add(Finding finding) { findings_.push_back(std::move(finding)); }
    [[nodiscard]] Findings findings() && { return std::move(findings_); }

private:
    const MysqlFacts& facts_;
    Findings findings_;
};

void judge_durability(Judge& judge) {
    const std::string flush = judge.value("innodb_flush_log_at_trx_commit");
    if (flush == "1") {
        judge.find("flush", Level::ok, "innodb_flush_log_at_trx_commit=1: a commit is on disk");
    } else {
        judge.find("flush", Level::warn,
                   "innodb_flush_log_at_trx_commit=" + flush +
                       ": a crash of the machine loses the last commits, and sluice applies them again; set "
                       "it to 1");
    }
    if (!judge.is_on("log_bin")) {
        judge.find("binlog", Level::ok, "the binary log is off: there are no replicas to fail over to");
    } else if (judge.value("binlog_format") == "STATEMENT") {
        judge.find("binlog", Level::fail,
                   "binlog_format=STATEMENT refuses writes under READ COMMITTED: set it to ROW");
    } else if (judge.value("sync_binlog") != "1") {
        judge.find("binlog", Level::warn,
                   "sync_binlog=" + judge.value("sync_binlog") +
                       ": after a crash of the machine, replicas may have more or less than the server; set "
                       "it to 1");
    } else {
        judge.find("binlog", Level::ok, "sync_binlog=1");
    }
}

/// The maximum of the applied offsets says what MySQL holds: on a replica this is true only where commits
/// keep their order.
void judge_commit_order(Judge& judge, bool is_mariadb) {
    if (is_mariadb)
        return judge.find("commit_order", Level::ok,
                          "MariaDB's replicas commit in the primary's order (slave_parallel_mode=" +
                              judge.value("slave_parallel_mode") + ")");
    const std::string preserve = judge.value("replica_preserve_commit_order");
    if (preserve == "OFF" || preserve == "0") {
        judge.find("commit_order", Level::fail,
                   "replica_preserve_commit_order=OFF: after a failover, events could be missing without a "
                   "trace; set it to ON here and on every replica");
    } else {
        judge.find("commit_order", Level::ok,
                   "replica_preserve_commit_order=" + preserve + "; check it on every replica");
    }
}

void judge_writable(Judge& judge, std::size_t largest_body) {
    if (judge.is_on("read_only") || judge.is_on("super_read_only")) {
        judge.find("writable", Level::fail,
                   "the server is read-only: it was demoted, or mysql.host names a replica");
    } else {
        judge.find("writable", Level::ok, "the server accepts writes");
    }
    const std::size_t needed = store::packet_for(largest_body);
    const std::string packet = judge.value("max_allowed_packet");
    if (packet.empty() || std::strtoull(packet.c_str(), nullptr, 10) >= needed) return;
    judge.find("packet", Level::fail,
               std::format("max_allowed_packet={} is too small for archived requests: set it to at least {}",
                           packet, needed));
}

void judge_primary(Judge& judge, const MysqlFacts& facts) {
    std::string several = store::several_primaries(facts.variables);
    if (!several.empty()) judge.find("primary", Level::fail, std::move(several));
}

/// Each session of a consumer keeps up to 256; at the limit no session can work (1461).
void judge_statements(Judge& judge, std::optional<std::int64_t> prepared) {
    const std::string limit = judge.value("max_prepared_stmt_count");
    const auto most = std::strtoll(limit.c_str(), nullptr, 10);
    if (!prepared || most <= 0) return;
    const bool is_close = *prepared * 2 > most;
    judge.find("statements", is_close ? Level::warn : Level::ok,
               std::format("{} of {} prepared statements are in use{}", *prepared, most,
                           is_close ? ", and each session of a consumer keeps up to 256: raise "
                                      "max_prepared_stmt_count, because all consumers stop at the limit"
                                    : ""));
}

void judge_migrations(Judge& judge, const store::MigrationPlan& plan) {
    for (const auto& problem : plan.problems) judge.find("migrations", Level::fail, problem);
    if (!plan.pending.empty()) {
        judge.find("migrations", Level::fail,
                   std::format("{} are missing, the first is {}: run `sluicectl migrate --apply`",
                               plan.pending.size(), plan.pending.front().name));
    } else if (plan.problems.empty()) {
        judge.find("migrations", Level::ok, "all are applied");
    }
}

void judge_owner(Judge& judge, const std::optional<std::string>& owner, const std::string& group) {
    if (!owner)
        return judge.find("group", Level::ok,
                          "no group owns the database yet: the first consumer claims it for its own");
    if (group.empty() || *owner == group)
        return judge.find("group", Level::ok, "the database belongs to the group " + *owner);
    judge.find("group", Level::fail,
               "the database belongs to the group " + *owner + ", but kafka.group is " + group +
                   ": a database can have only one group");
}

void judge_partitions(Judge& judge, int days_ahead) {
    if (days_ahead >= 2)
        return judge.find("partitions", Level::ok,
                          std::format("the inbox has partitions for the next {} days", days_ahead));
    judge.find("partitions", Level::warn,
               "the inbox has no partitions for the next days: a running consumer adds them every hour, and "
               "until then rows go to the newest one");
}

void judge_messages(Judge& judge, const store::MessageCount& messages, const MysqlDemands& demands,
                    WallTime now) {
    const std::string what = std::format("{} {} wait for '{}'", messages.count,
                                         messages.count == 1 ? "message" : "messages", messages.destination);
    if (!std::ranges::contains(demands.destinations, messages.destination))
        return judge.find(
            "messages", Level::fail,
            what +
                ", which the file has not: put it back under destinations, or they are refused after a day");
    if (now - messages.oldest < long_for_a_message) return;
    judge.find(
        "messages", Level::warn,
        what + ", the oldest for " + age_text(now - messages.oldest) +
            ": run sluice-consumer --role relay; sluicectl outbox list says what was not taken, and why");
}

}  // namespace

Findings judge_mysql(const MysqlFacts& facts, const MysqlDemands& demands, WallTime now) {
    Judge judge{facts};
    judge.find("session", Level::ok, judge.value("version") + ": sessions are strict and READ COMMITTED");
    judge_writable(judge, demands.largest_body);
    judge_durability(judge);
    judge_commit_order(judge, facts.is_mariadb);
    judge_primary(judge, facts);
    judge_statements(judge, facts.prepared_statements);
    judge_migrations(judge, facts.migrations);
    judge_owner(judge, facts.group, demands.group);
    if (facts.days_ahead) judge_partitions(judge, *facts.days_ahead);
    if (facts.time) judge.add(judge_clock("mysql.clock", now, *facts.time));
    for (const auto& messages : facts.waiting)
        judge_messages(judge, messages, demands, facts.time.value_or(now));
    return std::move(judge).findings();
}

}  // namespace sluice::ctl
