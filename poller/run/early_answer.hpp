#pragma once

#include <expected>
#include <functional>
#include <future>
#include <stop_token>

#include "common/clock.hpp"
#include "poller/fetch/get.hpp"
#include "poller/walk/ask.hpp"

namespace sluice::poller {

/// The answer to one question that was asked before its turn, on a thread of its own. One thread's.
class EarlyAnswer {
public:
    using Result = std::expected<Answer, NoAnswer>;
    using Question = std::function<Result(const std::stop_token&)>;

    /// What `question` uses outlives it, and is not used by others as long as it lives. std::system_error
    /// where no thread can be made.
    EarlyAnswer(Ask ask, WallTime asked_at, Question question);
    /// Breaks the request off where it goes on.
    ~EarlyAnswer();
    EarlyAnswer(const EarlyAnswer&) = delete;
    EarlyAnswer& operator=(const EarlyAnswer&) = delete;

    [[nodiscard]] const Ask& ask() const noexcept { return ask_; }
    [[nodiscard]] WallTime asked_at() const noexcept { return asked_at_; }
    /// Once, it or `break_off`. A stop breaks the request off.
    [[nodiscard]] Result wait(const std::stop_token& stop);
    /// The answer as far as it has come.
    [[nodiscard]] Result break_off();

private:
    Ask ask_;
    WallTime asked_at_;
    std::stop_source broken_off_;
    std::future<Result> answer_;
};

}  // namespace sluice::poller
