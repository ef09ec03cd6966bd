#include "ctl/operate/dead_letter_commands.hpp"

#include "ctl/operate/plan.hpp"

namespace sluice::ctl {

std::vector<Asked> DeadLetterCommands::next_page() {
    std::vector<Asked> page;
    for (const auto& dead_letter : targets_.next_page()) {
        page.push_back({.command = command_for(order_, dead_letter, clock_.wall()),
                        .name = "entry " + std::to_string(dead_letter.id),
                        .objection = objection(order_.action, dead_letter)});
    }
    return page;
}

}  // namespace sluice::ctl
