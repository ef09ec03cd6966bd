#pragma once

#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "command/call/call_work.hpp"

namespace sluice::command {

/// A thread beside the path that settles calls whose owners are gone, though nobody asks for them again. Any
/// number of processes may: one takes each over. Ends when `stop` is asked for, as its works do.
class CallSettler {
public:
    CallSettler(std::vector<std::unique_ptr<CallWork>> works, std::stop_token stop);

private:
    void run();

    const std::stop_token stop_;
    std::vector<std::unique_ptr<CallWork>> works_;  // one for each command
    std::jthread thread_;                           // last: starts when all else is there
};

}  // namespace sluice::command
