#pragma once

#include <stop_token>

#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// Messages wait for a destination that was renamed or taken out of the file. Says so. Once none of them was
/// written or tried for a day, it refuses them, so that a person can end them: a relay with another file, as
/// in a roll-out, would have tried one. Of a slot that another relay works on it refuses none. A failure is
/// the connection's.
[[nodiscard]] Result<void> give_up_unknown_destinations(Process& process, store::Connection& connection,
                                                        const std::stop_token& stop);

}  // namespace sluice::consumer
