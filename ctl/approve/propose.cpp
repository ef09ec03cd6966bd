#include "ctl/approve/propose.hpp"

#include <format>

#include "consumer/command/approval.hpp"
#include "consumer/command/command_record.hpp"
#include "ctl/approve/proposal.hpp"
#include "ctl/file_content.hpp"
#include "ctl/operate/command_sender.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* to_standard_output = "-";
constexpr const char* takes_two_words =
    " takes two operators (operators.two_for): --propose FILE, in place of --apply, writes what the second "
    "one "
    "approves with `sluicectl dlq approve FILE`";

bool takes_two(const Order& order, const OrderSettings& settings) {
    command::Command command;
    command.action = order.action;
    command.unverified = order.unverified;
    return command::takes_two(command, settings.two_for);
}

std::string order_name(const Order& order) {
    return std::string{store::name_of(order.action)} + (order.unverified ? " --unverified" : "");
}

const command::OperatorKey& proposing_key(const Order& order, const OrderSettings& settings) {
    if (!settings.key || settings.key->operator_name.empty()) {
        throw Stopped{Exit::usage,
                      "a proposal is signed with a key of its operator: give operators.keys one "
                      "with `operator: " +
                          order.operator_name + "`"};
    }
    return *settings.key;
}

Proposal signed_proposal(const Order& order, const OrderSettings& settings, CommandPages& pages,
                         Console& console) {
    const auto& key = proposing_key(order, settings);
    const auto place = command_place(settings.kafka);
    Proposal proposal{.run = order.run, .topic_id = place.topic_id, .group = place.group, .entries = {}};
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

Course course_of(const RunOptions& options, const Console& console) noexcept {
    if (!options.propose.empty()) return Course::propose;
    if (options.apply) return Course::send;
    return console.in != nullptr ? Course::ask : Course::show;
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

Exit propose(const RunOptions& options, Form form, const Order& order, const OrderSettings& settings,
             CommandPages& pages, std::int64_t total, Console& console) {
    if (total > static_cast<std::int64_t>(most_proposed)) {
        throw Stopped{
            Exit::usage,
            std::format("these are {} commands, and a proposal has 500 at most: take them in parts", total)};
    }
    const Proposal proposal = signed_proposal(order, settings, pages, console);
    if (proposal.entries.empty()) throw Stopped{Exit::no, "nothing is left to propose"};
    const auto count = proposal.entries.size();
    const Exit exit = static_cast<std::int64_t>(count) == total ? Exit::ok : Exit::no;
    const std::string bytes = to_pretty(to_json(proposal)) + "\n";
    if (options.propose == to_standard_output) {
        console.out << bytes;
        return exit;
    }
    write_private_file(options.propose, bytes);
    print(console, form, {{"run", uuid_text(order.run)}, {"file", options.propose}, {"proposed", count}},
          std::format("{} has {} {}, signed by {}. It counts for {} hours: have a second operator run\n  "
                      "sluicectl dlq approve FILE\n{}",
                      options.propose, count, count == 1 ? "command" : "commands", order.operator_name,
                      command::proposal_lives.count(),
                      order.body
                          ? "It holds the new body, nothing masked: hand it over as you would the body.\n"
                          : ""));
    return exit;
}

}  // namespace sluice::ctl
