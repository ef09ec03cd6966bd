#pragma once

#include <utility>

#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// A transaction that is rolled back unless it was committed. What was lost with the connection is rolled
/// back by the server.
class OpenTransaction {
public:
    static Result<OpenTransaction> begin(Connection& connection) {
        if (auto begun = connection.begin(); !begun) return Failure{begun.error()};
        return OpenTransaction{connection};
    }
    OpenTransaction(OpenTransaction&& other) noexcept
        : connection_{std::exchange(other.connection_, nullptr)} {}
    OpenTransaction(const OpenTransaction&) = delete;
    OpenTransaction& operator=(const OpenTransaction&) = delete;
    OpenTransaction& operator=(OpenTransaction&&) = delete;
    ~OpenTransaction() { roll_back(); }

    /// An error of class connection: the outcome is unknown.
    [[nodiscard]] Result<void> commit() {
        auto committed = connection_->commit();
        if (committed) connection_ = nullptr;
        return committed;
    }
    void roll_back() {
        Connection* connection = std::exchange(connection_, nullptr);
        if (connection == nullptr) return;
        if (connection->alive() && connection->in_transaction()) (void)connection->rollback();
    }

private:
    explicit OpenTransaction(Connection& connection) : connection_{&connection} {}

    Connection* connection_;
};

}  // namespace sluice::store
