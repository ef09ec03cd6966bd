#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "common/clock.hpp"

namespace sluice::command {

/// The first response to a command: what every later caller with its key gets, byte for byte.
struct Response {
    int status = 200;  ///< 200 to 599
    std::string content_type = "application/json";
    std::string body;

    bool operator==(const Response&) const = default;
};

/// What one request came to.
struct Answer {
    enum class Kind : std::uint8_t {
        executed,     ///< by this request: `response` was committed with its effects
        replayed,     ///< by an earlier one with the same key and fingerprint
        goes_on,      ///< this one takes longer than `answer_by`
        in_progress,  ///< an earlier one is at work
        mismatch,     ///< the key is known with another fingerprint
        refused,      ///< the body lacks a parameter, or has one out of its bounds: nothing was stored
        failed,  ///< a statement failed and all was rolled back: nothing was stored, and the same key may
                 ///< be tried again
        unavailable,   ///< MySQL does not answer, or too many wait: perhaps it was executed; look it up
        not_executed,  ///< a call of which it is certain that nothing was done: the same key may be tried
                       ///< again
        not_known,     ///< a call of which nobody knows whether it was executed: a person has to find out
        accepted       ///< Kafka has it, and it is executed later; `response` says so, and is not stored
    };
    Kind kind = Kind::unavailable;
    Response response{};  ///< of executed, replayed and accepted
    std::string why{};    ///< for the caller: one sentence without secrets; of the others
};

/// What is known of a key.
struct Standing {
    enum class State : std::uint8_t { absent, in_progress, done, failed };
    State state = State::absent;
    WallTime since{};           ///< of all but absent: when it was begun; zero: that is not known
    Response response{};        ///< of done
    bool is_retryable = false;  ///< of failed: nothing was done, and the same key may be tried again
    std::string why{};          ///< of failed: one sentence without secrets
};

}  // namespace sluice::command
