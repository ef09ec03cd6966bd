#include "ctl/dlq/operate.hpp"

#include "ctl/approve/propose.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/entry/filter_options.hpp"
#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/entry_plan.hpp"
#include "ctl/operate/operator_request.hpp"
#include "ctl/operate/run_id.hpp"
#include "ctl/operate/send_mode.hpp"
#include "ctl/operate/send_request.hpp"
#include "ctl/operate/targets.hpp"

namespace sluice::ctl {
namespace {

/// The commands of a request about entries. All outlive it.
class DeadLetterCommands final : public CommandPages {
public:
    DeadLetterCommands(const OperatorRequest& request, const EntryPlan& plan, Targets& targets,
                       const Clock& clock)
        : request_{request}, plan_{plan}, targets_{targets}, clock_{clock} {}

    [[nodiscard]] std::vector<Asked> next_page() override { return asked(targets_.next_page()); }

    [[nodiscard]] std::vector<Asked> come_up() override {
        if (!plan_.with_behind) return {};
        return asked(targets_.come_up(request_.run, plan_.counts));
    }

private:
    [[nodiscard]] std::vector<Asked> asked(const std::vector<store::DeadLetterRow>& dead_letters) const {
        std::vector<Asked> page;
        for (const auto& dead_letter : dead_letters) {
            page.push_back({.command = command_for(request_, dead_letter, clock_.wall()),
                            .name = "entry " + std::to_string(dead_letter.id),
                            .objection = objection(request_.action, dead_letter)});
        }
        return page;
    }

    const OperatorRequest& request_;
    const EntryPlan& plan_;
    Targets& targets_;
    const Clock& clock_;
};

RequestSettings operate_settings(const OperateOptions& options, bool may_send, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    auto settings = read_request_settings(document, options.run, may_send, problems);
    refuse_if_any(problems, console);
    return settings;
}

/// The run that is resumed, or a new one that includes no later entry.
store::ActionId run_of(const OperateOptions& options, store::Connection& connection,
                       const config::MysqlSettings& settings) {
    if (options.run.run.empty())
        return new_run(value_or_stop(store::newest_dead_letter(connection), settings, connection));
    return uuid_from(options.run.run).value();  // checked before
}

Targets targets_of(const OperateOptions& options, const store::ActionId& run, store::Connection& connection,
                   const config::MysqlSettings& settings, WallTime now) {
    if (!options.names.empty()) return {connection, settings, options.names};
    auto filter = filter_of(options.filter, now);
    filter.highest_id = highest_entry_of(run).value();
    return {connection, settings, std::move(filter)};
}

}  // namespace

Exit operate(store::ActionKind action, const OperateOptions& options, Console& console) {
    refuse_unless_sound(options);
    const SendMode wished = send_mode_of(options.run, console);
    const bool may_sign = wished != SendMode::show;
    if (may_sign) refuse_unless_signed(options.run);
    const auto settings = operate_settings(options, may_sign, console);
    const auto connection = open_database(settings.mysql);
    const auto run = run_of(options, *connection, settings.mysql);
    OperatorRequest request = signed_request(action, options.run, run, *connection, settings);
    request.body = body_of(action, options);
    request.with_behind = options.with_behind;
    const SendMode mode = allowed_send_mode(wished, request, settings);
    Targets targets = targets_of(options, run, *connection, settings.mysql, console.clock.wall());
    const EntryPlan plan{.action = action,
                         .run = uuid_text(run),
                         .counts = targets.counts(),
                         .sample = targets.sample(),
                         .waiting_behind = targets.waiting_behind(),
                         .with_behind = options.with_behind};
    const std::string for_people = to_people(plan, console.clock.wall());
    if (total_in(plan) == 0 || mode == SendMode::show) {
        print(console, options.common.chosen_form(), to_json(plan),
              for_people + (total_in(plan) > 0 ? what_next(request, settings) : ""));
        return Exit::ok;
    }
    // One answer on stdout in the requested form; the plan on stderr is for people.
    console.err << for_people;
    confirm(mode, request, total_in(plan), *connection, console);
    DeadLetterCommands commands{request, plan, targets, console.clock};
    const Form form = options.common.chosen_form();
    if (mode == SendMode::propose)
        return propose(options.run, form, request, settings, commands, total_in(plan), console);
    return send_request(options.run, form, request, settings, *connection, commands, total_in(plan),
                        "sluicectl dlq --help", console);
}

}  // namespace sluice::ctl
