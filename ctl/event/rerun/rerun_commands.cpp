#include "ctl/event/rerun/rerun_commands.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t rerun_page_size = 500;

}  // namespace

std::vector<Asked> RerunCommands::next_page() {
    std::vector<Asked> page;
    const auto targets = rest_.first(std::min(rest_.size(), rerun_page_size));
    rest_ = rest_.subspan(targets.size());
    for (const RerunTarget& target : targets) {
        Asked asked{.command = signed_command(request_, clock_.wall()),
                    .name = "event " + crypto::to_hex(target.key.dedup_key)};
        asked.command.id = command::id_in_run(request_.run, target.key);
        asked.command.object_key = target.object_key;
        asked.command.event = target.key;
        page.push_back(std::move(asked));
    }
    return page;
}

}  // namespace sluice::ctl
