#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/dlq/dlq_commands.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/entry/filter_options.hpp"

namespace sluice::ctl {
namespace {

struct DlqListOptions {
    CommonOptions common;
    FilterOptions filter;
    std::int64_t limit = 50;
    std::int64_t after = 0;
};

Json json_of(const std::vector<store::DeadLetterCount>& counts,
             const std::vector<store::DeadLetterRow>& dead_letters) {
    Json by = Json::array();
    for (const auto& count : counts) by.push_back(to_json(count));
    Json entries = Json::array();
    for (const auto& dead_letter : dead_letters) entries.push_back(to_json(dead_letter));
    return {{"total", total_of(counts)}, {"counts", std::move(by)}, {"entries", std::move(entries)}};
}

std::string text_of(const std::vector<store::DeadLetterCount>& counts,
                    const std::vector<store::DeadLetterRow>& dead_letters, const DlqListOptions& options,
                    WallTime now) {
    if (counts.empty()) return "No entries.\n";
    std::string text = counts_table(counts, now) + "\n" + dead_letters_table(dead_letters, now);
    if (dead_letters.size() == static_cast<std::size_t>(options.limit)) {
        text += "\nOf " + std::to_string(total_of(counts)) + ". The next page: --after " +
                std::to_string(dead_letters.back().id) + "\n";
    }
    return text;
}

Exit list(const DlqListOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto now = console.clock.wall();
    const auto filter = filter_of(options.filter, now);
    const auto connection = open_database(settings);
    const auto counts = value_or_stop(store::count_dead_letters(*connection, filter), settings, *connection);
    const auto dead_letters = value_or_stop(
        store::list_dead_letters(*connection, filter, options.limit, options.after), settings, *connection);
    print(console, options.common.chosen_form(), json_of(counts, dead_letters),
          text_of(counts, dead_letters, options, now));
    return Exit::ok;
}

}  // namespace

void add_dlq_list(CLI::App& dlq, Console& console) {
    const auto options = std::make_shared<DlqListOptions>();
    CLI::App& command = *dlq.add_subcommand(
        "list",
        "Open entries: counts by class and source, then the entries as they were opened; ages from the first "
        "death");
    add_config_option(command, options->common);
    add_filter_options(command, options->filter);
    add_course_options(command, options->filter);
    add_number(command, "--limit", options->limit, "Entries per page", 1, 1000);
    command.add_option("--after", options->after, "The page after the entry with this id")->type_name("ID");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl dlq list\n"
               "  sluicectl dlq list --source stripe-eu --error-class data --since 2h\n"
               "  sluicectl dlq list --reference O-17\n"
               "  sluicectl dlq list --text wallet --json\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace sluice::ctl
