#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "consumer/command/operator_settings.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// Judges who gives a command, before anything in it is read. Without keys everybody who may write to the
/// command topic does: then that topic's ACL is all that there is. Immutable; any thread.
class Authority {
public:
    /// `operators` outlive it.
    Authority(const command::Operators& operators, command::Place place)
        : operators_{operators}, place_{std::move(place)} {}

    /// Who vouches for a record.
    struct Voucher {
        const command::OperatorKey* signer = nullptr;    ///< null where there are no keys
        const command::OperatorKey* approver = nullptr;  ///< of a command of two
        std::string_view approval{};                     ///< what the approver signed; of the record
    };
    [[nodiscard]] std::expected<Voucher, command::Doubt> voucher_of(const Record& record) const;

    /// Whether these keys may say so. `approval` is that of the voucher, where it has one.
    [[nodiscard]] static std::optional<command::Doubt> doubt_about(const command::Command& command,
                                                                   const Voucher& voucher);

    /// Why a command with no command::Doubt is refused on record; empty: it is not.
    [[nodiscard]] std::string_view objection(const command::Command& command, WallTime now) const;

private:
    using Vouched = std::expected<const command::OperatorKey*, command::Doubt>;
    [[nodiscard]] Vouched signer(const std::optional<std::string_view>& signature,
                                 const command::Statement& statement) const;
    [[nodiscard]] std::expected<Voucher, command::Doubt> two_of(const Record& record,
                                                                std::string_view proposal) const;

    const command::Operators& operators_;
    const command::Place place_;
};

}  // namespace sluice::consumer
