#pragma once

#include <stop_token>

#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// Messages wait for a destination that was renamed or taken out of the file. Says so, and refuses those that
/// are older than a day, so that a person can end them: relays with a newer file, as in a roll-out, have had
/// that long. Of a slot that another relay works on it refuses none. A failure is the connection's.
[[nodiscard]] Result<void> give_up_unknown_destinations(Process& process, store::Connection& connection,
                                                        const std::stop_token& stop);

}  // namespace sluice::consumer
