#pragma once

#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/order.hpp"
#include "ctl/operate/targets.hpp"

namespace sluice::ctl {

/// The commands of an order about entries. All outlive it.
class DeadLetterCommands final : public CommandPages {
public:
    DeadLetterCommands(const Order& order, Targets& targets, const Clock& clock)
        : order_{order}, targets_{targets}, clock_{clock} {}

    [[nodiscard]] std::vector<Asked> next_page() override;

private:
    const Order& order_;
    Targets& targets_;
    const Clock& clock_;
};

}  // namespace sluice::ctl
