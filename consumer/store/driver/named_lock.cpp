#include "consumer/store/driver/named_lock.hpp"

#include <array>
#include <utility>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::store {

Result<std::optional<NamedLock>> NamedLock::acquire(Connection& connection, std::string_view purpose,
                                                    std::chrono::seconds wait) {
    // Names are the server's, not the database's, and at most 64 characters long.
    auto name = "sluice." + std::string{purpose} + "." +
                crypto::to_hex(crypto::sha256(connection.database())).substr(0, 16);
    const std::array<Datum, 2> parameters{std::string_view{name}, std::int64_t{wait.count()}};
    const auto rows = connection.query("SELECT GET_LOCK(?, ?)", parameters);
    if (!rows) return Failure{rows.error()};
    const auto* got = std::get_if<std::int64_t>(&rows->at(0).at(0));  // NULL: the server could not say
    if (got == nullptr || *got != 1) return std::nullopt;
    return NamedLock{connection, std::move(name)};
}

NamedLock::NamedLock(NamedLock&& other) noexcept
    : connection_{std::exchange(other.connection_, nullptr)}, name_{std::move(other.name_)} {}

NamedLock::~NamedLock() {
    if (connection_ == nullptr) return;
    const std::array<Datum, 1> parameters{std::string_view{name_}};
    // A failure means that the session is gone, and its locks with it.
    static_cast<void>(connection_->query("SELECT RELEASE_LOCK(?)", parameters));
}

}  // namespace sluice::store
