#include "consumer/database/server_moves.hpp"

#include <utility>

namespace sluice::consumer {

std::uint64_t ServerMoves::found(const std::string& server) {
    const std::lock_guard lock{mutex_};
    const std::string before = std::exchange(newest_, server);
    if (!before.empty() && before != server) ++moves_;
    return moves_;
}

std::uint64_t ServerMoves::count() const {
    const std::lock_guard lock{mutex_};
    return moves_;
}

}  // namespace sluice::consumer
