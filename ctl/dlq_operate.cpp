#include <array>
#include <format>
#include <istream>
#include <memory>

#include <unistd.h>

#include "ctl/database.hpp"
#include "ctl/dlq/filter_options.hpp"
#include "ctl/dlq_commands.hpp"
#include "ctl/file_content.hpp"
#include "ctl/operate/carry.hpp"
#include "ctl/operate/operate_options.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

struct OperateSettings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
};

OperateSettings operate_settings(const OperateOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    OperateSettings settings{.mysql = config::read_mysql(document, problems),
                             .kafka = config::read_kafka(document, problems)};
    refuse_if_any(problems, console);
    return settings;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return std::string{name.data()}.substr(0, 255);
}

std::string database_user(store::Connection& connection, const config::MysqlSettings& settings) {
    const auto rows = value_or_stop(connection.query("SELECT CURRENT_USER()", {}), settings, connection);
    return std::get<std::string>(rows.at(0).at(0)).substr(0, 128);
}

/// The run that is resumed, or a new one that knows no entry of later.
store::ActionId run_of(const OperateOptions& options, store::Connection& connection,
                       const config::MysqlSettings& settings) {
    if (options.run.empty())
        return new_run(value_or_stop(store::newest_letter(connection), settings, connection));
    return uuid_from(options.run).value();  // checked before
}

Targets targets_of(const OperateOptions& options, const store::ActionId& run, store::Connection& connection,
                   const config::MysqlSettings& settings, WallTime now) {
    if (!options.names.empty()) return {connection, settings, options.names};
    auto filter = filter_of(options.filter, now);
    filter.highest_id = highest_entry_of(run).value();
    return {connection, settings, std::move(filter)};
}

bool says_yes(const OrderPlan& plan, Console& console) {
    console.err << "\nType yes to " << store::name_of(plan.action) << " " << total_in(plan) << ": "
                << std::flush;
    std::string answer;
    std::getline(*console.in, answer);
    return answer == "yes";
}

std::string closing_words(Ending ending, const Order& order, const Progress& progress) {
    std::string text = std::format("run {}: {}\n", uuid_text(order.run), progress_text(progress));
    text += refusals_text(progress);
    const std::string resume = std::format("the same command with --run {}", uuid_text(order.run));
    switch (ending) {
        case Ending::answered:
            break;
        case Ending::unanswered:
            text +=
                "Not everything has its answer yet: does the retry role run? To look again: " + resume + "\n";
            break;
        case Ending::untried:
            text +=
                "Not everything was tried yet: `sluicectl lane list` says what it waits for. To look "
                "again: " +
                resume + "\n";
            break;
        case Ending::failures:
            text += "Stopped: too many are dead again. To go on: " + resume + " and a higher --stop-after\n";
            break;
        case Ending::interrupted:
            text += "Interrupted. What was sent will be carried out. To go on: " + resume + "\n";
            break;
    }
    return text;
}

Exit send_all(const OperateOptions& options, const Order& order, const OperateSettings& settings,
              store::Connection& connection, Targets& targets, const OrderPlan& plan, Console& console) {
    StopSignal signal;  // before the producer's threads, which must not take it
    CommandSender sender{settings.kafka};
    console.err << "run " << uuid_text(order.run) << "\n";
    Carrier carrier{connection, settings.mysql, sender, signal, console};
    const CarryLimits limits{.per_second = rate_from(options.rate).value(),
                             .stop_after = options.stop_after,
                             .wait = std::chrono::seconds{options.wait}};
    const Ending ending = carrier.carry(order, limits, targets, total_in(plan));
    const auto& progress = carrier.progress();
    if (console.err_is_terminal) console.err << "\n";
    Json answer = to_json(progress);
    answer["run"] = uuid_text(order.run);
    answer["ending"] = std::string{name_of(ending)};
    print(console, options.common.chosen_form(), answer, closing_words(ending, order, progress));
    return ending == Ending::answered && progress.went_well() ? Exit::ok : Exit::no;
}

Exit operate(store::ActionKind action, const OperateOptions& options, Console& console) {
    refuse_unless_sound(options);
    const bool asks = !options.apply && console.in != nullptr;
    if (options.apply || asks) refuse_unless_signed(options);
    const auto settings = operate_settings(options, console);
    const auto connection = open_database(settings.mysql);
    Order order{.action = action,
                .run = run_of(options, *connection, settings.mysql),
                .operator_name = options.operator_name,
                .reason = options.reason,
                .host = host_name(),
                .database_user = database_user(*connection, settings.mysql),
                .body = body_of(action, options),
                .unverified = options.unverified};
    Targets targets = targets_of(options, order.run, *connection, settings.mysql, console.clock.wall());
    const OrderPlan plan{action, uuid_text(order.run), targets.counts(), targets.sample()};
    const std::string for_people = to_people(plan, console.clock.wall());
    const bool sends = total_in(plan) > 0 && (options.apply || asks);
    if (!sends) {
        print(console, options.common.chosen_form(), to_json(plan),
              for_people + (total_in(plan) > 0 ? "\nNothing was sent. --apply sends it.\n" : ""));
        return Exit::ok;
    }
    // One answer on stdout in the form that was asked for; the plan is for whoever reads along.
    console.err << for_people;
    if (asks && !says_yes(plan, console)) throw Stopped{Exit::no, "nothing was sent"};
    return send_all(options, order, settings, *connection, targets, plan, console);
}

void add_order(CLI::App& dlq, Console& console, store::ActionKind action, const std::string& what,
               const std::string& examples) {
    const auto options = std::make_shared<OperateOptions>();
    CLI::App& command = *dlq.add_subcommand(std::string{store::name_of(action)}, what);
    add_operate_options(command, *options, action);
    add_footer(command, examples);
    command.callback([action, options, &console] { console.exit = operate(action, *options, console); });
}

}  // namespace

void add_dlq_orders(CLI::App& dlq, Console& console) {
    add_order(dlq, console, store::ActionKind::retry,
              "Run entries again, with effects matched anew; shows a plan first",
              "  sluicectl dlq retry 4711 --reason 'wallet made by hand' --operator ada --apply\n"
              "  sluicectl dlq retry --error-class data --since 2h\n"
              "  sluicectl dlq retry --error-class data --reason 'fixed in 1.2' --apply --rate 100/s "
              "--stop-after 5\n"
              "  sluicectl dlq retry --error-class data --reason 'fixed in 1.2' --apply --run UUID\n"
              "  sluicectl dlq retry 4711 --reason 'key of May is gone, body seen' --apply --unverified\n");
    add_order(dlq, console, store::ActionKind::skip,
              "Finish events without their effects; what waits behind them goes on; shows a plan first",
              "  sluicectl dlq skip 4711 --reason 'refunded by hand' --operator ada --apply\n"
              "  sluicectl dlq skip --type charge.updated --error-class park --reason 'not used' --apply\n");
    add_order(
        dlq, console, store::ActionKind::edit,
        "Run one event again with another body; it is marked as edited for ever",
        "  sluicectl dlq edit 4711 --body fixed.json --reason 'amount was null' --operator ada --apply\n");
    add_order(dlq, console, store::ActionKind::close,
              "Close entries that hold nothing up: they are seen to; shows a plan first",
              "  sluicectl dlq close 4712 --reason 'a test of the provider' --operator ada --apply\n"
              "  sluicectl dlq close --kind conflict --source stripe-eu --reason 'seen to' --apply\n");
}

}  // namespace sluice::ctl
