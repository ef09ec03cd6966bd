#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/log_settings.hpp"
#include "common/webhook/recipe/source.hpp"
#include "poller/config/poll_settings.hpp"

namespace sluice::poller {

/// Everything sluice-poller reads.
struct Config {
    config::OperationsSettings operations;
    config::KafkaSettings kafka;
    config::RedisSettings redis;
    config::MysqlSettings mysql;
    webhook::SourceSet sources;
    std::vector<PollSettings> polls;  ///< at least one, where `Needs::polls`
    std::chrono::days inbox_keep{};   ///< how long consumers know what they applied
    config::LogSettings log;
};

enum class Needs : std::uint8_t { polls, sources };

/// Throws config::Refused with every problem. Warnings are left in `problems`.
[[nodiscard]] Config read_config(const std::string& file, config::Problems& problems,
                                 Needs needs = Needs::polls);

}  // namespace sluice::poller
