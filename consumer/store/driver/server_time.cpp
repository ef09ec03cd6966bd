#include "consumer/store/driver/server_time.hpp"

namespace sluice::store {

Result<WallTime> server_time(Connection& connection) {
    const auto rows = connection.query("SELECT UTC_TIMESTAMP(6)", {});
    if (!rows) return Failure{rows.error()};
    return std::get<WallTime>(rows->at(0).at(0));
}

}  // namespace sluice::store
