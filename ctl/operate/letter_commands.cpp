#include "ctl/operate/letter_commands.hpp"

#include "ctl/operate/plan.hpp"

namespace sluice::ctl {

std::vector<Asked> LetterCommands::next_page() {
    std::vector<Asked> page;
    for (const auto& letter : targets_.next_page()) {
        page.push_back({.command = command_for(order_, letter, clock_.wall()),
                        .name = "entry " + std::to_string(letter.id),
                        .objection = objection(order_.action, letter)});
    }
    return page;
}

}  // namespace sluice::ctl
