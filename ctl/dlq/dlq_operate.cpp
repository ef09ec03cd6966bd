#include <memory>

#include "ctl/dlq/dlq_commands.hpp"
#include "ctl/dlq/operate.hpp"

namespace sluice::ctl {
namespace {

void add_order(CLI::App& dlq, Console& console, store::ActionKind action, const std::string& what,
               const std::string& examples) {
    const auto options = std::make_shared<OperateOptions>();
    CLI::App& command = *dlq.add_subcommand(std::string{store::name_of(action)}, what);
    add_operate_options(command, *options, action);
    add_footer(command, examples);
    command.callback([action, options, &console] {
        options->run.reason = reason_of(*options);
        console.exit = operate(action, *options, console);
    });
}

}  // namespace

void add_dlq_orders(CLI::App& dlq, Console& console) {
    add_order(dlq, console, store::ActionKind::retry,
              "Run entries again with the effects of today; shows a plan first",
              "  sluicectl dlq retry 4711 --reason 'wallet made by hand' --operator ada --apply\n"
              "  sluicectl dlq retry --error-class data --since 2h\n"
              "  sluicectl dlq retry --error-class data --reason 'fixed in 1.2' --apply --rate 100/s "
              "--stop-after 5\n"
              "  sluicectl dlq retry --error-class data --reason 'fixed in 1.2' --apply --run UUID\n"
              "  sluicectl dlq retry 4711 --reason 'key of May is gone, body seen' --apply --unverified\n");
    add_order(
        dlq, console, store::ActionKind::skip,
        "Finish events without their effects and let the events behind them continue; shows a plan first",
        "  sluicectl dlq skip 4711 --resolved refunded --reason 'by hand' --operator ada --apply\n"
        "  sluicectl dlq skip --effect pay-order --class paid_twice --with-behind --resolved refunded "
        "--apply\n"
        "  sluicectl dlq skip 4711 --reason 'refunded by hand' --operator ada --propose skip.json\n"
        "  sluicectl dlq skip --type charge.updated --error-class park --reason 'not used' --apply\n");
    add_order(
        dlq, console, store::ActionKind::edit,
        "Run one event again with another body; it stays marked as edited",
        "  sluicectl dlq edit 4711 --body fixed.json --reason 'amount was null' --operator ada --apply\n");
    add_order(dlq, console, store::ActionKind::close,
              "Close entries that hold no lane, once they are dealt with; shows a plan first",
              "  sluicectl dlq close 4712 --reason 'a test of the provider' --operator ada --apply\n"
              "  sluicectl dlq close --kind conflict --source stripe-eu --reason 'seen to' --apply\n");
}

}  // namespace sluice::ctl
