#pragma once

#include <string>

#include "common/clock.hpp"

namespace sluice::consumer {

/// What the records of a topic of the retry role are.
enum class RecordKind {
    wakeup,   ///< of a lane
    command,  ///< an operator's
};

/// A topic of the retry role. Coordinates::topic is its index in the role's list.
struct RetryTopic {
    std::string name;
    RecordKind records = RecordKind::wakeup;
    Milliseconds delay{};  ///< of its records, at most; zero: every record is due at once
};

}  // namespace sluice::consumer
