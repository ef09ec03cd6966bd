#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ctl/approve/body_changes.hpp"
#include "ctl/approve/proposal.hpp"
#include "ctl/entry/details.hpp"

namespace sluice::ctl {

/// A proposed command beside what it is about, as it stands now.
struct ProposedCommand {
    const Proposal::Entry& entry;
    std::optional<DeadLetterDetails> details;  ///< none: it is about no entry, or there is none any more

    /// Why the retry role would refuse it by now, as a clause; nullopt: it can be approved.
    [[nodiscard]] std::optional<std::string> objection() const;
};

/// Why the whole proposal cannot be approved, as a sentence; nullopt: it can. `approver` may be empty: not
/// known yet.
[[nodiscard]] std::optional<std::string> objection(const Proposal& proposal, const std::string& approver,
                                                   const std::string& group, WallTime now);

/// What a second operator is asked to approve. Pure; bodies are masked.
[[nodiscard]] std::string to_people(const std::vector<ProposedCommand>& plan, WallTime now);
[[nodiscard]] Json to_json(const Proposal& proposal, const std::vector<ProposedCommand>& plan);

}  // namespace sluice::ctl
