#include "consumer/database.hpp"

#include <algorithm>

#include "consumer/gap.hpp"
#include "consumer/store/applied_offset.hpp"
#include "consumer/store/error.hpp"

namespace sluice::consumer {
namespace {

constexpr Backoff reconnect{Milliseconds{100}, Milliseconds{5000}};
constexpr Milliseconds look_again_for_seek{20};
constexpr std::chrono::seconds between_pings{20};

}  // namespace

Database::Database(const config::MysqlSettings& settings, ClaimantName claimant, Log& log,
                   const Toolbox& tools, Random& random)
    : settings_{settings},
      partitions_{tools.partitions},
      claimant_{std::move(claimant)},
      log_{log},
      metrics_{tools.metrics},
      readiness_{tools.readiness},
      clock_{tools.clock},
      random_{random} {}

store::Connection* Database::ready() {
    if (clock_.steady() < next_try_) return nullptr;
    if (connection_ && !connection_->alive()) connection_.reset();
    if (!connection_ && !open()) return nullptr;
    if (checked_changes_ != partitions_.changes() && !check_applied_offsets()) return nullptr;
    return connection_.get();
}

bool Database::open() {
    store::ServerError error;
    auto opened = store::Connection::open(settings_, &error);
    if (!opened) {
        back_off(where() + error.message);
        return false;
    }
    connection_ = std::move(*opened);
    checked_changes_ = 0;
    return true;
}

bool Database::check_applied_offsets() {
    const std::uint64_t changes = partitions_.changes();
    const auto held = store::applied_offsets(*connection_, claimant_.group, claimant_.topic_id);
    if (!held) {
        failed(connection_->last_error().message);
        return false;
    }
    bool good = true;
    for (const ToCheck& partition : partitions_.to_check()) {
        const auto row = held->find(partition.partition);
        const auto applied = row == held->end() ? std::nullopt : std::optional{row->second};
        const AppliedCheck verdict = check_applied(partition, applied);
        if (verdict == AppliedCheck::good) continue;
        seek_back(partition, applied, verdict);
        good = false;
    }
    if (good) {
        checked_changes_ = changes;
    } else {
        next_try_ = clock_.steady() + look_again_for_seek;
    }
    return good;
}

void Database::seek_back(const ToCheck& partition, std::optional<std::int64_t> applied,
                         AppliedCheck verdict) {
    const std::int64_t to = std::max(applied.value_or(partition.log_start), partition.log_start);
    log_.error("seek_back",
               {{"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", to},
                {"reason", verdict == AppliedCheck::behind
                               ? "MySQL holds less than was committed: a fail-over lost transactions"
                               : "MySQL holds no applied offset although Kafka has one"}});
    if (applied && *applied < partition.log_start) {
        raise_alarm({partition.partition, *applied, partition.log_start}, log_, metrics_);
    }
    partitions_.ask_rewind(partition.partition, partition.generation, to);
}

void Database::failed(std::string why) {
    const store::ErrorClass error_class = store::class_of(connection_->last_error().code);
    // A missing table or right shows on any connection; everything else may be cured by another one.
    if (error_class != store::ErrorClass::schema) connection_.reset();
    back_off(where() + why);
}

void Database::back_off(const std::string& why) {
    ++failures_;
    in_trouble_ = true;
    next_try_ = clock_.steady() + reconnect.after(failures_, random_);
    readiness_.set_unready("mysql", why);
    if (failures_ == 1) log_.error("database_trouble", {{"reason", why}});
}

void Database::worked() {
    if (failures_ > 0) log_.info("database_back", {{"failures", std::int64_t{failures_}}});
    failures_ = 0;
    in_trouble_ = false;
    readiness_.set_ready("mysql");
}

void Database::keep_alive() {
    if (!connection_ || clock_.steady() - last_ping_ < between_pings) return;
    last_ping_ = clock_.steady();
    if (!connection_->ping()) failed(connection_->last_error().message);
}

std::string Database::where() const {
    return "MySQL at " + settings_.host + ":" + std::to_string(settings_.port) + ", database " +
           settings_.database + ": ";
}

}  // namespace sluice::consumer
