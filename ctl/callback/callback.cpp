#include "ctl/callback/callback_commands.hpp"
#include "ctl/cli/commands.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* verdicts =
    "\nVerdicts:\n"
    "  accepted           Kafka has the event\n"
    "  duplicate          Kafka had it already\n"
    "  quarantined        authentic, but it could not be read: see sluicectl dlq list\n"
    "  limited            its client, source or account was over a limit\n"
    "  refused_signature  not authentic\n"
    "  gate_refused       no request for a webhook: wrong address, method, size or form\n"
    "  not_acked, shed, unavailable, too_large, too_large_for_topic\n"
    "                     not taken; the provider sends it again\n"
    "  polled             read from the provider's list, sent by nobody\n"
    "\nOf wrong and limited requests that anybody could send, ten in ten seconds are recorded one by one, "
    "for each\n"
    "source, verdict and thread. A row with the reason left_out says how many more there were.\n";

}  // namespace

void add_callback(CLI::App& program, Console& console) {
    CLI::App& callback =
        *program.add_subcommand("callback", "Every request that a provider sent, and what came of it");
    callback.require_subcommand(1);
    callback.footer(verdicts);
    add_callback_list(callback, console);
    add_callback_show(callback, console);
}

}  // namespace sluice::ctl
