#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/dlq/dlq_commands.hpp"
#include "ctl/entry/body_opener.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/entry/erased.hpp"

namespace sluice::ctl {
namespace {

struct DlqShowOptions {
    CommonOptions common;
    std::string name;
    std::string save_body;
};

constexpr const char* standard_output = "-";

/// Of several entries of one event the last has it as it would be run.
const std::string& body_of(const std::vector<DeadLetterDetails>& entries) {
    const DeadLetterDetails& last = entries.back();
    if (!last.body)
        throw Stopped{Exit::no, "its body no longer exists anywhere" +
                                    (last.erased ? ": " + erased_text(*last.erased) : std::string{})};
    return last.opened ? *last.opened : *last.body;
}

/// What the saved bytes are, where a part of the body is encrypted.
std::string opening_of(const DeadLetterDetails& last) {
    if (last.opened)
        return "its encrypted part is opened as \"decrypted\": dlq edit applies what stands there";
    return last.sealed_because.empty() ? "" : "its encrypted part is sealed: " + last.sealed_because;
}

void save_body(const std::vector<DeadLetterDetails>& entries, const std::string& file, Console& console) {
    const std::string& body = body_of(entries);
    const std::string opening = opening_of(entries.back());
    write_private_file(file, body);
    console.err << file << " has the body, " << body.size() << " bytes, unmasked"
                << (opening.empty() ? "" : "; " + opening) << "\n";
}

Exit show_entries(const DlqShowOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto settings = config::read_mysql(document, problems);
    refuse_if_any(problems, console);
    const BodyOpener opener{document};
    const auto connection = open_database(settings);
    const auto dead_letters = dead_letters_named(*connection, settings, options.name);
    Json entries = Json::array();
    std::string people;
    std::vector<DeadLetterDetails> found;
    for (const auto& dead_letter : dead_letters) {
        auto& details = found.emplace_back(details_of(*connection, settings, dead_letter));
        opener.open(details);
        entries.push_back(to_json(details));
        people += (people.empty() ? "" : "\n") + to_people(details, console.clock.wall());
    }
    const std::string none = "No entry has the id " + options.name + ", and no entry's event has it.";
    if (options.save_body == standard_output) {
        if (dead_letters.empty()) throw Stopped{Exit::no, none};
        console.out << body_of(found);
        if (const auto opening = opening_of(found.back()); !opening.empty()) console.err << opening << "\n";
        return Exit::ok;
    }
    if (dead_letters.empty()) {
        people = none + "\n";
    } else if (!options.save_body.empty()) {
        save_body(found, options.save_body, console);
    }
    print(console, options.common.chosen_form(), {{"id", options.name}, {"entries", std::move(entries)}},
          people);
    return dead_letters.empty() ? Exit::no : Exit::ok;
}

}  // namespace

void add_dlq_show(CLI::App& dlq, Console& console) {
    const auto options = std::make_shared<DlqShowOptions>();
    CLI::App& command = *dlq.add_subcommand(
        "show", "One entry: the reason, what waits behind it, actions, and its payload with secrets masked");
    add_config_option(command, options->common);
    command.add_option("ID", options->name, "The id of the entry, or the provider's id of its event")
        ->required();
    command
        .add_option(
            "--save-body", options->save_body,
            "Write the body, unmasked and with its encrypted part opened, to a new file that only you can "
            "read, for dlq edit; - writes only the body, to standard output")
        ->type_name("FILE");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl dlq show 4711\n"
               "  sluicectl dlq show evt_1ABC --json\n"
               "  sluicectl dlq show 4711 --save-body body.json\n"
               "  sluicectl dlq show 4711 --save-body - > body.json\n");
    command.callback([options, &console] { console.exit = show_entries(*options, console); });
}

}  // namespace sluice::ctl
