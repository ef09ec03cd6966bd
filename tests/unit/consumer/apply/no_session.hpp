#pragma once

#include <array>
#include <cstddef>

#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// A session of which nothing may be asked: for rules that take one and decide without a word from it. One
/// that asks all the same reads zeros, and crashes.
union NoSession {
    NoSession() : zeros{} {}
    ~NoSession() {}

    std::array<std::byte, sizeof(store::Connection)> zeros;
    store::Connection connection;
};

}  // namespace sluice::consumer
