#include "ctl/operate/send_mode.hpp"

#include <format>
#include <istream>

#include "consumer/command/approval.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* takes_two_words =
    " needs two operators (operators.two_for): use --propose FILE instead of --apply, and let a second "
    "operator run `sluicectl dlq approve FILE`";

bool takes_two(const OperatorRequest& request, const RequestSettings& settings) {
    command::Command command;
    command.action = request.action;
    command.unverified = request.unverified;
    return command::takes_two(command, settings.two_for);
}

std::string request_name(const OperatorRequest& request) {
    return std::string{store::name_of(request.action)} + (request.unverified ? " --unverified" : "");
}

}  // namespace

SendMode send_mode_of(const RunOptions& options, const Console& console) noexcept {
    if (!options.propose.empty()) return SendMode::propose;
    if (options.apply) return SendMode::send;
    const bool can_be_asked =
        console.in != nullptr && !options.operator_name.empty() && !options.reason.empty();
    return can_be_asked ? SendMode::ask : SendMode::show;
}

SendMode allowed_send_mode(SendMode mode, const OperatorRequest& request, const RequestSettings& settings) {
    if (mode == SendMode::propose || !takes_two(request, settings)) return mode;
    if (mode == SendMode::send) throw Stopped{Exit::usage, request_name(request) + takes_two_words};
    return SendMode::show;
}

std::string what_next(const OperatorRequest& request, const RequestSettings& settings) {
    if (takes_two(request, settings))
        return "\nNothing was done: " + request_name(request) + takes_two_words + ".\n";
    return "\nNothing was done yet. --apply does it.\n";
}

bool says_yes(std::string_view what, store::Connection& connection, Console& console) {
    // If the session is lost all the same, its next use reports that.
    (void)connection.set_idle_limit(std::chrono::hours{1});
    console.err << "\nType yes to " << what << ": " << std::flush;
    std::string answer;
    std::getline(*console.in, answer);
    (void)connection.set_idle_limit(store::idle_limit);
    return answer == "yes";
}

void confirm(SendMode mode, const OperatorRequest& request, std::int64_t total, store::Connection& connection,
             Console& console) {
    if (mode != SendMode::ask) return;
    if (!says_yes(std::format("{} {}", store::name_of(request.action), total), connection, console))
        throw Stopped{Exit::no, "nothing was sent"};
}

}  // namespace sluice::ctl
