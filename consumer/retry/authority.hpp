#pragma once

#include <expected>
#include <vector>

#include "consumer/command/signature.hpp"
#include "consumer/record.hpp"

namespace sluice::consumer {

/// Judges who gives a command, before anything in it is read. Without keys everybody who may write to the
/// command topic does: that topic's ACL is all that there is then. Immutable; any thread.
class Authority {
public:
    Authority(const std::vector<command::OperatorKey>& keys, command::Place place)
        : keys_{keys}, place_{std::move(place)} {}

    /// The key that vouches for it; null where there are none.
    [[nodiscard]] std::expected<const command::OperatorKey*, command::Doubt> signer_of(
        const Record& record) const;

private:
    const std::vector<command::OperatorKey>& keys_;
    const command::Place place_;
};

}  // namespace sluice::consumer
