#pragma once

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// UTC, by the server's clock.
[[nodiscard]] Result<WallTime> server_time(Connection& connection);

}  // namespace sluice::store
