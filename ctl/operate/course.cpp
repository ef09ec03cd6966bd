#include "ctl/operate/course.hpp"

#include <format>
#include <istream>

#include "consumer/command/approval.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* takes_two_words =
    " needs two operators (operators.two_for): use --propose FILE instead of --apply, and let a second "
    "operator run `sluicectl dlq approve FILE`";

bool takes_two(const Order& order, const OrderSettings& settings) {
    command::Command command;
    command.action = order.action;
    command.unverified = order.unverified;
    return command::takes_two(command, settings.two_for);
}

std::string order_name(const Order& order) {
    return std::string{store::name_of(order.action)} + (order.unverified ? " --unverified" : "");
}

}  // namespace

Course course_of(const RunOptions& options, const Console& console) noexcept {
    if (!options.propose.empty()) return Course::propose;
    if (options.apply) return Course::send;
    const bool can_be_asked =
        console.in != nullptr && !options.operator_name.empty() && !options.reason.empty();
    return can_be_asked ? Course::ask : Course::show;
}

Course allowed_course(Course course, const Order& order, const OrderSettings& settings) {
    if (course == Course::propose || !takes_two(order, settings)) return course;
    if (course == Course::send) throw Stopped{Exit::usage, order_name(order) + takes_two_words};
    return Course::show;
}

std::string what_next(const Order& order, const OrderSettings& settings) {
    if (takes_two(order, settings))
        return "\nNothing was sent: " + order_name(order) + takes_two_words + ".\n";
    return "\nNothing was sent. --apply sends it.\n";
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

void confirm(Course course, const Order& order, std::int64_t total, store::Connection& connection,
             Console& console) {
    if (course != Course::ask) return;
    if (!says_yes(std::format("{} {}", store::name_of(order.action), total), connection, console))
        throw Stopped{Exit::no, "nothing was sent"};
}

}  // namespace sluice::ctl
