#include "consumer/store/retention/selftest.hpp"

#include <array>

namespace sluice::store {

Result<std::int64_t> delete_selftests(Connection& connection, WallTime cutoff) {
    const std::array<Datum, 1> parameters{cutoff};
    std::int64_t total = 0;
    for (;;) {
        const auto deleted = connection.execute(
            "DELETE FROM sluice_selftest WHERE applied_at < ? ORDER BY applied_at LIMIT 1000", parameters);
        if (!deleted) return deleted;
        total += *deleted;
        if (*deleted < 1000) return total;
    }
}

}  // namespace sluice::store
