#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// A lock by name on the whole server (GET_LOCK), held by the session: it goes with the connection or with
/// this object. `purpose` is made unique per database.
class NamedLock {
public:
    /// nullopt when another session had it for all of `wait`.
    static Result<std::optional<NamedLock>> acquire(Connection& connection, std::string_view purpose,
                                                    std::chrono::seconds wait);
    NamedLock(NamedLock&& other) noexcept;
    NamedLock& operator=(NamedLock&&) = delete;
    ~NamedLock();

private:
    NamedLock(Connection& connection, std::string name) : connection_{&connection}, name_{std::move(name)} {}
    Connection* connection_;  // null: moved from
    std::string name_;
};

}  // namespace sluice::store
