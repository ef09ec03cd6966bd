#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "command/record/mysql_record.hpp"
#include "command/record/redis_record.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/telemetry/log.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::command {

/// Where records of calls stand, for a test: a place of its own on a real server.
class RecordPlace {
public:
    RecordPlace() = default;
    RecordPlace(const RecordPlace&) = delete;
    RecordPlace& operator=(const RecordPlace&) = delete;
    virtual ~RecordPlace() = default;

    [[nodiscard]] virtual std::unique_ptr<CallRecord> record(const std::string& command) = 0;
    /// As if the time of all leases were over.
    virtual void end_leases() = 0;
    /// As if all that has ended had been kept for long enough.
    virtual void expire() = 0;
    /// As if all had begun an hour earlier.
    virtual void age() = 0;
};

class MysqlPlace final : public RecordPlace {
public:
    MysqlPlace(config::MysqlSettings settings, std::unique_ptr<store::Connection> session)
        : settings_{std::move(settings)}, session_{std::move(session)} {}

    std::unique_ptr<CallRecord> record(const std::string& command) override {
        return std::make_unique<MysqlRecord>(around_, moves_, command);
    }
    void end_leases() override { set_due("state = 0"); }
    void expire() override { set_due("state <> 0"); }
    void age() override {
        ASSERT_TRUE(session_->run("UPDATE command_key SET begun_at = begun_at - INTERVAL 1 HOUR"));
    }

private:
    void set_due(const std::string& which) {
        ASSERT_TRUE(session_->run("UPDATE command_key SET keep_until = UTC_TIMESTAMP(6) WHERE " + which));
    }

    const config::MysqlSettings settings_;
    const SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    Log log_{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    const Around around_{settings_, log_, metrics_, readiness_, clock_};
    consumer::ServerMoves moves_;
    std::unique_ptr<store::Connection> session_;
};

/// On the server that SLUICE_TEST_REDIS names (host:port), which it empties.
class RedisPlace final : public RecordPlace {
public:
    RedisPlace() {
        const char* named = std::getenv("SLUICE_TEST_REDIS");
        if (named == nullptr) throw std::runtime_error("SLUICE_TEST_REDIS is not set: host:port");
        const auto at = config::host_port_from_text(named).value();
        settings_.servers = {{.host = at.host, .port = at.port}};
        (void)ask({"FLUSHALL"});
    }

    std::unique_ptr<CallRecord> record(const std::string& command) override {
        return std::make_unique<RedisRecord>(settings_, command);
    }
    void end_leases() override {
        (void)ask({"EVAL",
                   "for _, m in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do"
                   " redis.call('ZADD', KEYS[1], 1, m)"
                   " redis.call('HSET', 'call:{refund}:' .. m, 'due', 1) end",
                   "1", "call:{refund}:due"});
    }
    void expire() override {
        (void)ask({"EVAL",
                   "for _, k in ipairs(redis.call('KEYS', 'call:*')) do"
                   " if redis.call('PTTL', k) > 0 then redis.call('DEL', k) end end",
                   "0"});
    }
    void age() override {
        (void)ask({"EVAL",
                   "for _, k in ipairs(redis.call('KEYS', 'call:*')) do"
                   " if redis.call('TYPE', k).ok == 'hash' then"
                   " redis.call('HINCRBY', k, 'begun', -3600000000) end end",
                   "0"});
    }
    redis::Reply ask(const std::vector<std::string>& words) {
        auto session = redis::Session::open(settings_, settings_.servers.front(), std::chrono::seconds{5});
        auto reply = session.value().ask(words);
        EXPECT_TRUE(reply) << reply.error();
        return std::move(*reply);
    }

private:
    config::RedisSettings settings_;
};

}  // namespace sluice::command
