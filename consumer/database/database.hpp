#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/database/server_moves.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// What a session that runs effects needs beyond others. `watch` outlives it; null: what takes too long is
/// not ended.
struct EffectLimits {
    store::StatementWatch* watch = nullptr;
    Milliseconds longest_within{0};
};

/// A worker's way to MySQL: opens the connection, backs off while it cannot, says so, and leaves a server
/// that other sessions of the process have left. One worker's; only `in_trouble` is for other threads.
class Database {
public:
    /// All but `effects` outlive it.
    Database(const config::MysqlSettings& settings, Log& log, Readiness& readiness, const Clock& clock,
             Random& random, ServerMoves& moves, const EffectLimits& effects = {});

    /// A connection, or nullptr while there is none. Blocking for as long as a connect takes.
    [[nodiscard]] store::Connection* ready();
    /// Which connection it is, counted from 1.
    [[nodiscard]] std::uint64_t session() const noexcept { return session_; }
    /// Whether it follows one that ended without our doing, or none: commits may be gone. One that we gave up
    /// was asked once more when this one stood.
    [[nodiscard]] bool follows_a_loss() const noexcept { return follows_a_loss_; }
    /// Of which server it is, and whether sessions have moved to another one since the one before it.
    [[nodiscard]] const std::string& server() const noexcept { return server_; }
    [[nodiscard]] bool has_moved() const noexcept { return has_moved_; }
    /// When `ready` is worth another call, after it gave nullptr.
    [[nodiscard]] SteadyTime next_try() const noexcept { return next_try_; }
    /// When a worker with nothing to do looks again: when something is `due`, and twice a second. Nothing can
    /// be done before `next_try`, however much is due.
    [[nodiscard]] SteadyTime next_look(std::optional<SteadyTime> due) const;
    /// `ready` gives nullptr for so long.
    void rest(Milliseconds time) { next_try_ = clock_.steady() + time; }

    /// Nothing could be done on this connection: says `why`, drops it where a new one may help, backs off.
    void failed(const std::string& why);
    /// Something was committed: any trouble is over.
    void worked();
    /// To be called while idle: keeps the server from closing the session, and notices that it did.
    void keep_alive();

    [[nodiscard]] bool in_trouble() const noexcept { return in_trouble_; }

private:
    [[nodiscard]] bool open();
    [[nodiscard]] bool knows_server();
    void drop();
    /// It is of no use any more, although it works: the next one follows a loss.
    void give_up(const std::string& why);
    void back_off(const std::string& why);
    [[nodiscard]] std::string where() const;

    const config::MysqlSettings& settings_;
    Log& log_;
    Readiness& readiness_;
    const Clock& clock_;
    Random& random_;
    ServerMoves& moves_;
    const EffectLimits effects_;
    std::unique_ptr<store::Connection> connection_;
    std::unique_ptr<store::Connection> left_;  // that we gave up, until there is another
    std::uint64_t session_ = 0;
    bool was_lost_ = true;  // the last one, not by our doing; and before the first one
    bool follows_a_loss_ = true;
    std::string server_;
    std::uint64_t known_moves_ = 0;
    bool has_moved_ = false;
    int failures_ = 0;
    SteadyTime next_try_{};
    SteadyTime last_ping_{};
    SteadyTime said_at_{};
    std::atomic<bool> in_trouble_ = false;
};

}  // namespace sluice::consumer
