#pragma once

#include <memory>

#include "command/config/definition.hpp"
#include "command/process/around.hpp"
#include "command/record/by_hand.hpp"
#include "command/record/call_record.hpp"
#include "common/config/section.hpp"
#include "consumer/database/database.hpp"

namespace sluice::ctl {

/// The records of one command, where the file says that they stand: MySQL, or the one Redis.
class CallRecords {
public:
    /// What is wrong with the file's servers goes to `problems`. The others outlive it.
    CallRecords(const command::Definition& definition, const config::Document& document,
                config::Problems& problems, const Clock& clock);

    /// Throws Stopped(unreachable) with what the server said.
    [[nodiscard]] std::optional<command::KnownCall> find(const crypto::Digest& key);
    /// CallRecord::settle, and where that did not say yes, what stands there then. Throws as `find` if nobody
    /// knows whether it was written.
    [[nodiscard]] command::EndedBy settle(const command::KnownCall& seen, const command::CallEnd& end);

private:
    const command::Definition& definition_;
    config::MysqlSettings mysql_;
    config::RedisSettings redis_;
    Log log_{{.program = "sluicectl", .level = LogLevel::error, .descriptor = 2}};
    Metrics metrics_;
    Readiness readiness_;
    command::Around around_;
    consumer::ServerMoves moves_;
    std::unique_ptr<command::CallRecord> record_;
};

}  // namespace sluice::ctl
