#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/command/command.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// Commands that one operator has signed and a second one is to approve: a file that is handed over, JSON. It
/// is worth nothing by itself. The retry role believes nothing of it but what both have signed.
struct Proposal {
    struct Entry {
        std::string value;      ///< the command, byte for byte
        std::string signature;  ///< the first operator's
        command::Command command;
    };
    store::ActionId run{};
    std::string topic_id;  ///< of the command topic
    std::string group;
    std::vector<Entry> entries;  ///< of one run, operator and action
};

/// As many as one look of a second operator is asked to cover.
inline constexpr std::size_t most_proposed = 500;

[[nodiscard]] Json to_json(const Proposal& proposal);

/// Of any bytes; the error says what is wrong with them.
[[nodiscard]] std::expected<Proposal, std::string> proposal_from(std::string_view text);

}  // namespace sluice::ctl
