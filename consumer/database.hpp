#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "common/clock.hpp"
#include "common/config/connections.hpp"
#include "common/log.hpp"
#include "common/readiness.hpp"
#include "consumer/apply/alone.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/retry/backoff.hpp"
#include "consumer/store/connection.hpp"

namespace sluice::consumer {

/// A worker's way to MySQL: opens the connection, backs off while it cannot, and lets nothing be
/// claimed over a connection before what MySQL holds was compared with what we believe. One worker's.
class Database {
public:
    Database(const config::MysqlSettings& settings, ClaimantName claimant, Log& log, const Toolbox& tools,
             Random& random);

    /// A connection that may be used for the partitions as they are assigned now; nullptr while there is
    /// none, or while a seek-back is under way. Blocking for as long as a connect takes.
    [[nodiscard]] store::Connection* ready();
    /// When `ready` is worth another call, after it gave nullptr.
    [[nodiscard]] SteadyTime next_try() const noexcept { return next_try_; }

    /// Nothing could be done on this connection: says `why`, drops it where a new one may help, backs off.
    void failed(std::string why);
    /// Something was committed: whatever was wrong is over.
    void worked();
    /// To be called while idle: keeps the server from closing the session, and notices that it did.
    void keep_alive();

    [[nodiscard]] bool in_trouble() const noexcept { return in_trouble_; }
    [[nodiscard]] const ClaimantName& claimant() const noexcept { return claimant_; }

private:
    [[nodiscard]] bool open();
    [[nodiscard]] bool check_applied_offsets();
    void seek_back(const ToCheck& partition, std::optional<std::int64_t> applied, AppliedCheck verdict);
    void back_off(const std::string& why);
    [[nodiscard]] std::string where() const;

    const config::MysqlSettings& settings_;
    Partitions& partitions_;
    ClaimantName claimant_;
    Log& log_;
    Metrics& metrics_;
    Readiness& readiness_;
    const Clock& clock_;
    Random& random_;
    std::unique_ptr<store::Connection> connection_;
    std::uint64_t checked_changes_ = 0;
    int failures_ = 0;
    SteadyTime next_try_{};
    SteadyTime last_ping_{};
    std::atomic<bool> in_trouble_ = false;
};

}  // namespace sluice::consumer
