#include <memory>
#include <utility>

#include "consumer/command/command_record.hpp"
#include "ctl/approve/approval_plan.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/dlq/dlq_commands.hpp"
#include "ctl/entry/body_opener.hpp"
#include "ctl/operate/command_sender.hpp"
#include "ctl/operate/send_mode.hpp"

namespace sluice::ctl {
namespace {

struct ApproveOptions {
    CommonOptions common;
    std::string file;
    std::string save_body;
    RunOptions run;
};

/// The commands of a proposal as one page, with the same word on each.
class ApprovedCommands final : public CommandPages {
public:
    ApprovedCommands(const std::vector<ProposedCommand>& plan, std::string approval)
        : plan_{plan}, approval_{std::move(approval)} {}

    [[nodiscard]] std::vector<Asked> next_page() override {
        std::vector<Asked> page;
        if (std::exchange(is_over_, true)) return page;
        for (const auto& proposed : plan_) {
            const auto& entry = proposed.entry;
            page.push_back({.command = entry.command,
                            .name = "entry " + std::to_string(entry.command.dead_letter.value_or(0)),
                            .objection = proposed.objection(),
                            .approved = Approved{entry.value, entry.signature, approval_}});
        }
        return page;
    }

private:
    const std::vector<ProposedCommand>& plan_;
    std::string approval_;
    bool is_over_ = false;
};

Proposal read_proposal(const ApproveOptions& options) {
    auto proposal = proposal_from(file_content(options.file));
    if (!proposal) throw Stopped{Exit::usage, options.file + " is not a proposal: " + proposal.error()};
    return std::move(*proposal);
}

RequestSettings approve_settings(const ApproveOptions& options, const config::Document& document,
                                 config::Problems& problems, bool may_send, Console& console) {
    auto settings = read_request_settings(document, options.run, may_send, problems);
    refuse_if_any(problems, console);
    if (may_send) (void)own_key(settings, "an approval", options.run.operator_name);
    return settings;
}

std::vector<ProposedCommand> plan_of(const Proposal& proposal, const RequestSettings& settings,
                                     const BodyOpener& opener, store::Connection& connection) {
    std::vector<ProposedCommand> plan;
    for (const auto& entry : proposal.entries) {
        auto& proposed = plan.emplace_back(entry, std::nullopt);
        if (!entry.command.dead_letter) continue;
        auto dead_letter = value_or_stop(store::find_dead_letter(connection, *entry.command.dead_letter),
                                         settings.mysql, connection);
        if (!dead_letter) continue;
        if (!entry.command.edit) {
            proposed.details.emplace().dead_letter = std::move(*dead_letter);
            continue;
        }
        proposed.details = details_of(connection, settings.mysql, *dead_letter);
        opener.open(*proposed.details);
    }
    return plan;
}

std::string approval_bytes(const RunOptions& options, WallTime now) {
    const auto bytes = command::encode_approval(
        {.operator_name = options.operator_name, .reason = options.reason, .approved_at = now});
    if (!bytes)
        throw Stopped{Exit::usage, "this cannot be sent: " + std::string{command::name_of(bytes.error())}};
    return *bytes;
}

void save_new_body(const ApproveOptions& options, const Proposal& proposal, Console& console) {
    if (options.save_body.empty()) return;
    const auto& edit = proposal.entries.front().command.edit;
    if (!edit) throw Stopped{Exit::usage, "--save-body needs the proposal of an edit"};
    write_private_file(options.save_body, edit->bytes);
    console.err << options.save_body << " has the new body, unmasked\n";
}

Exit approve(const ApproveOptions& options, Console& console) {
    refuse_unless_paced(options.run);
    const SendMode mode = send_mode_of(options.run, console);
    const bool may_send = mode != SendMode::show;
    if (may_send) refuse_unless_signed(options.run);
    const Proposal proposal = read_proposal(options);
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto settings = approve_settings(options, document, problems, may_send, console);
    const WallTime now = console.clock.wall();
    if (const auto why = objection(proposal, options.run.operator_name, settings.kafka.group, now))
        throw Stopped{Exit::no, *why};
    save_new_body(options, proposal, console);
    const auto connection = open_database(settings.mysql);
    const auto plan = plan_of(proposal, settings, BodyOpener{document}, *connection);
    if (!may_send) {
        print(console, options.common.chosen_form(), to_json(proposal, plan),
              to_people(plan, now) +
                  "\nNothing was done yet. --apply approves it with your signature and sends it.\n");
        return Exit::ok;
    }
    console.err << to_people(plan, now);
    OperatorRequest request = signed_request(proposal.entries.front().command.action, options.run,
                                             proposal.run, *connection, settings);
    request.approves = true;
    confirm(mode, request, std::ssize(plan), *connection, console);
    if (command_place(settings.kafka).topic_id != proposal.topic_id)
        throw Stopped{Exit::no,
                      "this was proposed for another command topic, or the topic was created again since: "
                      "ask for a new proposal"};
    ApprovedCommands commands{plan, approval_bytes(options.run, now)};
    return send_request(options.run, options.common.chosen_form(), request, settings, *connection, commands,
                        std::ssize(plan), "sluicectl dlq --help", console);
}

}  // namespace

void add_dlq_approve(CLI::App& dlq, Console& console) {
    const auto options = std::make_shared<ApproveOptions>();
    CLI::App& command =
        *dlq.add_subcommand("approve", "Approve and send what another operator has proposed; shows it first");
    add_config_option(command, options->common);
    command.add_option("FILE", options->file, "The proposal; - reads it from standard input")->required();
    command
        .add_option("--save-body", options->save_body,
                    "Write the new body of an edit, unmasked, to a new file that only you can read")
        ->type_name("FILE");
    add_who(command, options->run);
    add_pace(command, options->run);
    add_output_options(command, options->common);
    add_footer(
        command,
        "  sluicectl dlq edit 4711 --body fixed.json --reason 'amount was null' --operator ada --propose "
        "edit.json\n"
        "  sluicectl dlq approve edit.json\n"
        "  sluicectl dlq approve edit.json --save-body new-body.json\n"
        "  sluicectl dlq approve edit.json --reason 'compared with the provider' --operator bob --apply\n");
    command.callback([options, &console] { console.exit = approve(*options, console); });
}

}  // namespace sluice::ctl
