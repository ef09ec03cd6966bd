#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "command/config/command_set.hpp"
#include "command/hot/hot_accounts.hpp"
#include "command/process/around.hpp"

namespace sluice::command {

/// By the command's name.
using AllHotAccounts = std::map<std::string, std::unique_ptr<HotAccounts>, std::less<>>;

/// Looks each second at what changes beside the path: the lists' files, how many accounts are hot, and
/// whether Kafka can be written to: the process gets no traffic before it can, for ten seconds at most, and
/// keeps it when Kafka goes away. A file that cannot be read leaves its list as it was. A thread of its
/// own.
class HotWatch {
public:
    /// All outlive it. Reads the lists before it returns. `kafka`: what the way into Kafka says of itself.
    HotWatch(const CommandSet& set, AllHotAccounts& accounts, const Readiness& kafka, const Around& around);

private:
    void run(const std::stop_token& stop);
    void look();
    void read_list(const std::string& command, const std::string& file, HotAccounts& accounts);
    void show(const std::string& command, const HotAccounts& accounts);
    void say_how_kafka_is();

    const CommandSet& set_;
    AllHotAccounts& accounts_;
    const Readiness& kafka_;
    const Around& around_;
    Counter& failures_;
    const SteadyTime patient_until_;  // with a Kafka that was not ready yet
    bool has_begun_ = false;
    std::map<std::string, AccountList> lists_;  // by command, as they were read last
    std::jthread thread_;                       // last: starts when all else is there
};

}  // namespace sluice::command
