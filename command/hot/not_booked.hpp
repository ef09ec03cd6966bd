#pragma once

#include <cstdint>
#include <string_view>

#include "command/config/definition.hpp"
#include "command/request/request.hpp"
#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// How a command ends that was accepted and is not booked.
enum class NotBooked : std::uint8_t {
    for_certain,  ///< it cannot be: its first response says so
    perhaps       ///< it waited for so long that nobody knows whether it was: it failed for good
};

/// The first response, a 409, of what is not booked for certain.
inline constexpr std::string_view not_booked_body = R"({"error":"not_booked"})";

/// Stores it under the command's key, in a transaction of its own. True: it is there, or something else was
/// there before.
[[nodiscard]] Result<bool> store_not_booked(const Definition& definition, const Request& request,
                                            NotBooked how, store::Connection& connection);

}  // namespace sluice::command
