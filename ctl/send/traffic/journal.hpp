#pragma once

#include <fstream>
#include <mutex>
#include <string>

#include "ctl/send/traffic/tally.hpp"

namespace sluice::ctl {

/// `--events FILE`: one JSON line per attempt, written out at once, so that what was answered is known
/// even when the run is killed. Thread-safe.
class Journal {
public:
    /// An empty path writes nothing. Throws Stopped(usage) when the file cannot be made.
    explicit Journal(const std::string& path);
    void write(const Sent& sent);

private:
    std::mutex mutex_;
    std::ofstream file_;
    bool is_open_ = false;
};

}  // namespace sluice::ctl
