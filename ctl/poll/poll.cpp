#include <algorithm>
#include <format>
#include <functional>
#include <memory>

#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/poll/walk_text.hpp"

namespace sluice::ctl {
namespace {

struct PollOptions : SignedBy {
    CommonOptions common;
    std::string source;
    bool apply = false;
};

struct WalksThere {
    config::MysqlSettings mysql;
    std::unique_ptr<store::Connection> connection{};

    [[nodiscard]] std::vector<store::ListedWalk> read() const {
        return value_or_stop(store::listed_walks(*connection), mysql, *connection);
    }
};

WalksThere walks_there(const PollOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    WalksThere there{config::read_mysql(document, problems)};
    refuse_if_any(problems, console);
    there.connection = open_database(there.mysql);
    return there;
}

Exit list_walks(const PollOptions& options, Console& console) {
    const auto walks = walks_there(options, console).read();
    print(console, options.common.chosen_form(), to_json(walks), to_people(walks, console.clock.wall()));
    return std::ranges::any_of(walks, [](const auto& walk) { return walk.gap.has_value(); }) ? Exit::no
                                                                                             : Exit::ok;
}

/// What is done to one walk: how it reads, and the write.
struct Change {
    std::function<std::string(const store::ListedWalk&)> sentence;  ///< empty: there is nothing to change
    const char* nothing;
    std::function<Result<bool>(store::Connection&, const store::ListedWalk&, const store::WalkChange&)> write;
};

store::ListedWalk walk_of(const WalksThere& there, const std::string& source) {
    const auto walks = there.read();
    const auto found = std::ranges::find(walks, source, &store::ListedWalk::source);
    if (found != walks.end()) return *found;
    throw Stopped{Exit::no, std::format("no list of a source {} was read so far: sluicectl poll list names "
                                        "those that were",
                                        source)};
}

Exit change_walk(const PollOptions& options, const Change& change, Console& console) {
    const WalksThere there = walks_there(options, console);
    const store::ListedWalk walk = walk_of(there, options.source);
    std::string said = change.sentence(walk);
    const bool applies = options.apply && !said.empty();
    if (said.empty()) {
        said = change.nothing;
    } else if (!applies) {
        said += "Nothing was changed. --apply does it.\n";
    } else {
        refuse_unless_signed(options);
        const store::WalkChange by{options.operator_name, options.reason};
        if (!value_or_stop(change.write(*there.connection, walk, by), there.mysql, *there.connection))
            throw Stopped{Exit::no, "the walk has moved meanwhile and nothing was changed: look again"};
        said += "Done. A poller that runs goes on from here by itself.\n";
    }
    Json json = to_json(there.read());
    json["changed"] = applies;
    print(console, options.common.chosen_form(), json, said);
    return Exit::ok;
}

const Change clearing{
    .sentence =
        [](const store::ListedWalk& walk) {
            return walk.gap
                       ? std::format("{}: the gap from {} is cleared.\n", walk.source, text_of(*walk.gap))
                       : std::string{};
        },
    .nothing = "This walk has no gap.\n",
    .write =
        [](store::Connection& connection, const store::ListedWalk& walk, const store::WalkChange& by) {
            return store::clear_gap(connection, walk.source, *walk.gap, by);
        }};

const Change forgetting{
    .sentence =
        [](const store::ListedWalk& walk) {
            return walk.at_id.empty()
                       ? std::string{}
                       : std::format(
                             "{}: the walk forgets {}, and goes on from its time. No event is passed over.\n",
                             walk.source, walk.at_id);
        },
    .nothing = "This walk goes on by time already.\n",
    .write =
        [](store::Connection& connection, const store::ListedWalk& walk, const store::WalkChange& by) {
            return store::forget_place(connection, walk.source, walk.at_id, by);
        }};

void add_poll_list(CLI::App& poll, Console& console) {
    const auto options = std::make_shared<PollOptions>();
    CLI::App& command =
        *poll.add_subcommand("list", "How far each list was read; exits with 1 if there is a gap");
    add_config_option(command, options->common);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl poll list\n"
               "  sluicectl poll list --json\n");
    command.callback([options, &console] { console.exit = list_walks(*options, console); });
}

void add_change(CLI::App& poll, const char* name, const char* purpose, const Change& change, const char* more,
                Console& console) {
    const auto options = std::make_shared<PollOptions>();
    CLI::App& command = *poll.add_subcommand(name, purpose);
    add_config_option(command, options->common);
    command.add_option("source", options->source, "The polled source")->required()->type_name("SOURCE");
    add_operator_and_reason(command, *options);
    command.add_flag("--apply", options->apply, "Do it; without it, only say what would be done");
    add_output_options(command, options->common);
    add_footer(
        command,
        std::format("  sluicectl poll {0} stripe-eu-list\n"
                    "  sluicectl poll {0} stripe-eu-list --operator ada --reason 'TEXT' --apply\n\n{1}\n",
                    name, more));
    command.callback([options, &change, &console] { console.exit = change_walk(*options, change, console); });
}

}  // namespace

void add_poll(CLI::App& program, Console& console) {
    CLI::App& poll =
        *program.add_subcommand("poll", "The walks of sluice-poller through providers' lists of events");
    poll.require_subcommand(1);
    add_poll_list(poll, console);
    add_change(
        poll, "clear-gap", "Say that what was missing in a gap is dealt with", clearing,
        "A gap is a time whose events the provider had forgotten before they were read. Find them first:\n"
        "export that time from its dashboard or reports, and book what is missing.",
        console);
    add_change(
        poll, "forget-place", "Go on by time, where the provider forgot the event of the checkpoint",
        forgetting,
        "Only where the provider deleted its events. With the key of another account, the poller would\n"
        "read that one's list as this one's: look at poll.key first.",
        console);
}

}  // namespace sluice::ctl
