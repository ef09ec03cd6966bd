#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::command {

/// Names one command of one caller for good: the same key of another caller, or of another command, is
/// another one.
struct Key {
    std::string command;  ///< its name in the configuration
    std::string caller;   ///< the principal that signed the request
    std::string key;      ///< as the caller gave it, or made of fields of the body; 1 to 255 bytes

    bool operator==(const Key&) const = default;
};

/// What an authentic caller wants done, once.
struct Request {
    Key key;
    crypto::Digest fingerprint{};  ///< of what was asked: another one under the same key is another request
    std::string body;              ///< JSON, as it came
    std::string traceparent{};     ///< empty: none
    SteadyTime received_at{};
    SteadyTime answer_by{};                 ///< what takes longer is told as in progress, and goes on
    std::optional<WallTime> accepted_at{};  ///< of a command that came through Kafka: when it was taken
};

}  // namespace sluice::command
