#include "ctl/approve/propose.hpp"

#include <format>

#include "consumer/command/approval.hpp"
#include "consumer/command/command_record.hpp"
#include "ctl/approve/proposal.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/operate/command_sender.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* to_standard_output = "-";

Proposal signed_proposal(const OperatorRequest& request, const RequestSettings& settings, CommandPages& pages,
                         Console& console) {
    const auto& key = own_key(settings, "a proposal", request.operator_name);
    const auto place = command_place(settings.kafka);
    Proposal proposal{.run = request.run, .topic_id = place.topic_id, .group = place.group, .entries = {}};
    for (auto page = pages.next_page(); !page.empty(); page = pages.next_page()) {
        for (Asked& asked : page) {
            auto value = command::encode(asked.command);
            if (asked.objection || !value) {
                console.err << asked.name << " is left out: "
                            << (asked.objection ? *asked.objection : command::name_of(value.error())) << "\n";
                continue;
            }
            auto signature =
                command::sign(command::proposal_of(command::record_key(asked.command), *value), place, key);
            proposal.entries.push_back({std::move(*value), std::move(signature), std::move(asked.command)});
        }
    }
    return proposal;
}

}  // namespace

Exit propose(const RunOptions& options, Form form, const OperatorRequest& request,
             const RequestSettings& settings, CommandPages& pages, std::int64_t total, Console& console) {
    if (total > static_cast<std::int64_t>(most_proposed)) {
        throw Stopped{
            Exit::usage,
            std::format("these are {} commands, and a proposal can have at most 500: propose them in parts",
                        total)};
    }
    const Proposal proposal = signed_proposal(request, settings, pages, console);
    if (proposal.entries.empty()) throw Stopped{Exit::no, "there is nothing to propose"};
    const auto count = proposal.entries.size();
    const Exit exit = static_cast<std::int64_t>(count) == total ? Exit::ok : Exit::no;
    const std::string bytes = to_pretty(to_json(proposal)) + "\n";
    if (options.propose == to_standard_output) {
        console.out << bytes;
        return exit;
    }
    write_private_file(options.propose, bytes);
    print(console, form, {{"run", uuid_text(request.run)}, {"file", options.propose}, {"proposed", count}},
          std::format(
              "{} has {} {}, signed by {}. It is valid for {} hours. A second operator runs\n  sluicectl dlq "
              "approve FILE\n{}",
              options.propose, count, count == 1 ? "command" : "commands", request.operator_name,
              command::proposal_lives.count(),
              request.body ? "It contains the new body, unmasked: protect it as you would the body.\n" : ""));
    return exit;
}

}  // namespace sluice::ctl
