#pragma once

#include <optional>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// What `connection` runs while this lives has so much time, all together (Connection::set_limit). Not
/// nested.
class TimeLimit {
public:
    TimeLimit(Connection& connection, Milliseconds time) : connection_{connection} {
        connection.set_limit(time);
    }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;
    ~TimeLimit() { connection_.set_limit(std::nullopt); }

private:
    Connection& connection_;
};

}  // namespace sluice::store
