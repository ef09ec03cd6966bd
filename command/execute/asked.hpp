#pragma once

#include <utility>

#include "command/execute/executor.hpp"
#include "command/execute/told_once.hpp"

namespace sluice::command {

/// A request that waits for its execution, and its caller, who may be told earlier that it goes on.
struct Asked {
    Asked(Request asked, Executor::Done done) : request{std::move(asked)}, caller{std::move(done)} {}

    Request request;
    ToldOnce<Answer> caller;
};

/// There is no room for it, or it still waits when the program ends.
[[nodiscard]] inline Answer overloaded() {
    return {.kind = Answer::Kind::unavailable, .why = "too many commands wait, or the program ends"};
}

/// At `answer_by`.
[[nodiscard]] inline Answer not_yet() {
    return {.kind = Answer::Kind::goes_on, .why = "it takes longer, and goes on"};
}

}  // namespace sluice::command
