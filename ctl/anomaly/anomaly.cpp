#include <memory>

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/store/callback/anomaly.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/filter_options.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* kinds =
    "\nKinds:\n"
    "  burst_minute, burst_hour  more callbacks of one object than callbacks.anomalies allows\n"
    "  amount_differs            two events say that an object is paid, of different amounts\n"
    "  paid_after_closed         an object is paid that was closed before\n"
    "  same_body                 one body came under several event ids of an account within a day\n"
    "  failing_client            one address has wrong signatures at three sources or more within an hour\n";

struct AnomalyListOptions {
    CommonOptions common;
    std::string kind;
    std::string subject;
    std::string source;
    std::string since;
    std::int64_t limit = 50;
};

Json anomaly_json(const store::AnomalyRow& row) {
    return {{"id", row.id},
            {"kind", row.kind},
            {"subject", redact::without_control_bytes(row.subject)},
            {"source", text_or_null(row.source)},
            {"began_at", to_rfc3339(row.began)},
            {"last_at", to_rfc3339(row.last)},
            {"callbacks", row.callbacks},
            {"detail", redact::without_control_bytes(row.detail)},
            {"found_at", to_rfc3339(row.found)}};
}

std::string anomalies_table(const std::vector<store::AnomalyRow>& rows) {
    Table table{{"KIND", "BEGAN", "LAST", "CALLBACKS", "SOURCE", "SUBJECT"}};
    for (const auto& row : rows) {
        table.row({row.kind, short_time(row.began), short_time(row.last), std::to_string(row.callbacks),
                   row.source, redact::without_control_bytes(row.subject)});
        table.note(redact::without_control_bytes(row.detail));
    }
    return table.text();
}

Exit list(const AnomalyListOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const store::AnomalyFilter filter{.kind = unless_empty(options.kind),
                                      .subject = unless_empty(options.subject),
                                      .source = unless_empty(options.source),
                                      .since = time_named("--since", options.since, console.clock.wall()),
                                      .limit = options.limit};
    const auto connection = open_database(settings);
    const auto found = value_or_stop(store::list_anomalies(*connection, filter), settings, *connection);
    Json rows = Json::array();
    for (const auto& row : found) rows.push_back(anomaly_json(row));
    print(console, options.common.chosen_form(), {{"anomalies", std::move(rows)}},
          found.empty() ? "No anomalies.\n" : anomalies_table(found));
    return Exit::ok;
}

void add_list(CLI::App& anomaly, Console& console) {
    const auto options = std::make_shared<AnomalyListOptions>();
    CLI::App& command = *anomaly.add_subcommand("list", "What was strange about callbacks, the newest last");
    add_config_option(command, options->common);
    const auto add = [&](const char* name, std::string& target, const char* text, const char* type) {
        return command.add_option(name, target, text)->type_name(type)->group("Which anomalies");
    };
    add("--kind", options->kind, "Of this kind: sluicectl anomaly --help lists them", "KIND");
    add("--subject", options->subject, "Of this object, client or body", "SUBJECT");
    add("--source", options->source, "Of callbacks to this source", "NAME");
    add("--since", options->since, "That went on since: a time, a day, or how long ago (2h)", "TIME");
    add_number(command, "--limit", options->limit, "The newest so many", 1, 1000);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl anomaly list --since 1d\n"
               "  sluicectl anomaly list --kind amount_differs --json\n"
               "  sluicectl callback list --object stripe/acct_main/pi_3Q   # the callbacks of a subject\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace

void add_anomaly(CLI::App& program, Console& console) {
    CLI::App& anomaly = *program.add_subcommand("anomaly", "What is strange about callbacks");
    anomaly.require_subcommand(1);
    anomaly.footer(kinds);
    add_list(anomaly, console);
}

}  // namespace sluice::ctl
