#include "consumer/command/execute/authority.hpp"

#include <algorithm>

#include "consumer/command/approval.hpp"

namespace sluice::consumer {
namespace {

/// The header's value; nothing where it is missing or stands there twice.
std::optional<std::string_view> header_of(const Record& record, std::string_view name) {
    const auto is_it = [name](const record::HeaderView& header) { return header.name == name; };
    if (std::ranges::count_if(record.headers, is_it) != 1) return std::nullopt;
    return std::ranges::find_if(record.headers, is_it)->value;
}

}  // namespace

std::expected<Authority::Voucher, command::Doubt> Authority::voucher_of(const Record& record) const {
    if (operators_.keys.empty()) return Voucher{};
    if (const auto proposal = header_of(record, command::proposal_header)) return two_of(record, *proposal);
    const auto by =
        signer(header_of(record, command::signature_header), command::command_of(record.key, record.value));
    if (!by) return std::unexpected{by.error()};
    return Voucher{.signer = *by};
}

std::expected<Authority::Voucher, command::Doubt> Authority::two_of(const Record& record,
                                                                    std::string_view proposal) const {
    const auto asks = signer(proposal, command::proposal_of(record.key, record.value));
    if (!asks) return std::unexpected{asks.error()};
    const auto approval = header_of(record, command::approval_header);
    if (!approval) return std::unexpected{command::Doubt::not_approved};
    const auto approves = signer(header_of(record, command::approval_signature_header),
                                 command::approval_of(record.key, record.value, proposal, *approval));
    if (!approves) return std::unexpected{approves.error()};
    return Voucher{.signer = *asks, .approver = *approves, .approval = *approval};
}

Authority::Vouched Authority::signer(const std::optional<std::string_view>& signature,
                                     const command::Statement& statement) const {
    if (!signature) return std::unexpected{command::Doubt::not_signed};
    return command::signer_of(*signature, statement, place_, operators_.keys);
}

std::optional<command::Doubt> Authority::doubt_about(const command::Command& command,
                                                     const Voucher& voucher) {
    using command::may_sign_as;
    if (voucher.signer == nullptr) return std::nullopt;
    if (!may_sign_as(*voucher.signer, command.operator_name)) return command::Doubt::other_operator;
    if (voucher.approver == nullptr) return std::nullopt;
    if (!may_sign_as(*voucher.approver, command.approval->operator_name))
        return command::Doubt::other_operator;
    if (!command::are_two_operators(*voucher.signer, *voucher.approver)) return command::Doubt::one_operator;
    return std::nullopt;
}

std::string_view Authority::objection(const command::Command& command, WallTime now) const {
    if (command.approval) return command::objection_to_approved(command, now);
    return command::takes_two(command, operators_.two_for) ? "one_operator" : "";
}

}  // namespace sluice::consumer
