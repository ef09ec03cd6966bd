#pragma once

#include <span>

#include "ctl/event/rerun/turn_order.hpp"
#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/operator_request.hpp"

namespace sluice::ctl {

/// The commands of a rerun, in the order of `targets`. All outlive it.
class RerunCommands final : public CommandPages {
public:
    RerunCommands(const OperatorRequest& request, std::span<const RerunTarget> targets, const Clock& clock)
        : request_{request}, rest_{targets}, clock_{clock} {}

    [[nodiscard]] std::vector<Asked> next_page() override;

private:
    const OperatorRequest& request_;
    std::span<const RerunTarget> rest_;
    const Clock& clock_;
};

}  // namespace sluice::ctl
