#pragma once

#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/clock.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/send/traffic/request_maker.hpp"

namespace sluice::ctl {

/// One attempt that came to an end: a line of `--events`.
struct Sent {
    Facts facts;
    Kind kind = Kind::fresh;
    int attempt = 1;
    int status = 0;               ///< 0: no answer
    std::string_view decision{};  ///< HttpClient::Answer
    std::string error{};          ///< why there was none
    WallTime sent_at{};
    WallTime answered_at{};
    bool is_last = true;  ///< no further attempt follows
};

[[nodiscard]] Json to_json(const Sent& sent);

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

/// Answers by kind, status and decision, and how long they took. Not thread-safe: one per thread, then `add`.
class Tally {
public:
    void count(const Sent& sent);
    void add(const Tally& other);

    [[nodiscard]] std::size_t answers() const noexcept { return milliseconds_.size(); }
    [[nodiscard]] std::size_t failures() const noexcept { return failures_; }
    /// Whether every genuine delivery ended with a 2xx and no other one ever got one.
    [[nodiscard]] bool is_as_it_should_be() const noexcept { return failures_ == 0; }
    /// answers: list of kind, status (0: none), decision (or null), count; errors; latency_ms.
    [[nodiscard]] Json to_json() const;
    [[nodiscard]] std::string to_people() const;

private:
    [[nodiscard]] double percentile(double share) const;

    std::map<std::tuple<Kind, int, std::string_view>, std::size_t> counts_;
    std::map<std::string, std::size_t> errors_;
    std::vector<float> milliseconds_;
    std::size_t failures_ = 0;
};

}  // namespace sluice::ctl
