#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consumer/store/driver/condition.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// Events by the numbers that people have in hand (docs/decisions/0095-found-by-payment-numbers.md).
namespace sluice::store {

/// What is asked for; at least one is set. Compared byte for byte.
struct NumbersAsked {
    std::optional<std::string> reference{};    ///< the merchant's order number
    std::optional<std::string> transaction{};  ///< the provider's number

    [[nodiscard]] bool any() const noexcept { return reference || transaction; }
};

/// Adds what is asked for.
void also_numbers(Condition& condition, const NumbersAsked& asked);

/// Its newest events, at most `limit`, the newest last; no locks. A look into an index for each day of the
/// inbox.
[[nodiscard]] Result<std::vector<InboxRow>> events_of_payment(Connection& connection,
                                                              const NumbersAsked& asked, std::int64_t limit);

}  // namespace sluice::store
