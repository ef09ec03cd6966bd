#pragma once

#include <expected>
#include <functional>
#include <string>

#include "command/request/answer.hpp"
#include "command/request/request.hpp"

namespace sluice::command {

/// Executes commands once each. Any thread; never blocks. Outlives what it was asked.
class Executor {
public:
    using Done = std::function<void(Answer)>;
    using Found = std::function<void(std::expected<Standing, std::string>)>;  ///< else why MySQL cannot tell

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// `done` is called once, on a thread of the executor's or at once, and does not throw: at `answer_by`
    /// at the latest, whatever becomes of the command.
    virtual void execute(Request request, Done done) = 0;
    virtual void look_up(Key key, SteadyTime answer_by, Found found) = 0;
};

}  // namespace sluice::command
