#include "ctl/operate/send_request.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <string>

#include <unistd.h>

#include "ctl/cli/database.hpp"
#include "ctl/operate/run_id.hpp"
#include "ctl/operate/send_and_wait.hpp"

namespace sluice::ctl {
namespace {

/// The key that signs what this operator asks for: the first of theirs, else the first without an operator.
/// Null where there are none. Throws Stopped(usage) where all are other operators'. No other key's secret
/// has to be available.
const command::OperatorSettings::Key* signing_key(const command::OperatorSettings& operators,
                                                  const std::string& operator_name) {
    using Key = command::OperatorSettings::Key;
    const auto& keys = operators.keys;
    if (keys.empty()) return nullptr;
    for (const std::string& owner : {operator_name, std::string{}}) {
        const auto key = std::ranges::find(keys, owner, &Key::operator_name);
        if (key != keys.end()) return &*key;
    }
    throw Stopped{Exit::usage, "operators.keys has no key of " + operator_name +
                                   ": add one with `operator: " + operator_name +
                                   "`, or one without `operator`"};
}

std::string database_user(store::Connection& connection, const config::MysqlSettings& settings) {
    const auto rows = value_or_stop(connection.query("SELECT CURRENT_USER()", {}), settings, connection);
    return std::get<std::string>(rows.at(0).at(0)).substr(0, 128);
}

std::string closing_words(Ending ending, const OperatorRequest& request, const Progress& progress,
                          std::string_view help) {
    std::string text = std::format("run {}: {}\n", uuid_text(request.run), progress_text(progress));
    text += refusals_text(progress, help);
    text += behind_text(progress);
    const std::string resume = request.approves || request.with_behind
                                   ? std::string{"the same command"}
                                   : std::format("the same command with --run {}", uuid_text(request.run));
    switch (ending) {
        case Ending::answered:
            break;
        case Ending::unanswered:
            text +=
                "Not everything is answered yet. Check that the retry role runs and has the key that signed "
                "this (command_doubtful in its log). To look again: " +
                resume + "\n";
            break;
        case Ending::untried:
            text +=
                "Not everything is tried yet: `sluicectl lane list` says what it waits for. To look again: " +
                resume + "\n";
            break;
        case Ending::failures:
            text +=
                "Stopped: too many are dead again. To continue: " + resume + " and a higher --stop-after\n";
            break;
        case Ending::interrupted:
            text += "Interrupted. What was sent will be carried out. To continue: " + resume + "\n";
            break;
    }
    return text;
}

}  // namespace

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return std::string{name.data()}.substr(0, 255);
}

RequestSettings read_request_settings(const config::Document& document, const RunOptions& options,
                                      bool may_send, config::Problems& problems) {
    RequestSettings settings{.mysql = config::read_mysql(document, problems),
                             .kafka = config::read_kafka(document, problems)};
    const auto operators = command::read_operators(document);
    settings.two_for = operators.two_for;
    if (!may_send || problems.any()) return settings;
    if (const auto* key = signing_key(operators, options.operator_name))
        settings.key = command::resolve_key(*key, problems);
    return settings;
}

const command::OperatorKey& own_key(const RequestSettings& settings, std::string_view what,
                                    std::string_view operator_name) {
    if (settings.key && !settings.key->operator_name.empty()) return *settings.key;
    throw Stopped{
        Exit::usage,
        std::format(
            "{} must be signed with a key of its operator: add one with `operator: {}` to operators.keys",
            what, operator_name)};
}

OperatorRequest signed_request(store::ActionKind action, const RunOptions& options,
                               const store::ActionId& run, store::Connection& connection,
                               const RequestSettings& settings) {
    return {.action = action,
            .run = run,
            .operator_name = options.operator_name,
            .reason = options.reason,
            .host = host_name(),
            .database_user = database_user(connection, settings.mysql),
            .body = {},
            .unverified = options.unverified,
            .effect = {}};
}

Exit send_request(const RunOptions& options, Form form, const OperatorRequest& request,
                  const RequestSettings& settings, store::Connection& connection, CommandPages& pages,
                  std::int64_t total, std::string_view help, Console& console) {
    StopSignal signal;  // before the producer's threads, which must not take it
    if (!settings.key)
        console.err
            << "warning: operators.keys is empty, so commands are not signed: anyone who can write to the "
               "command topic can do the same, and a retry role that has keys skips them without an answer\n";
    CommandSender sender{settings.kafka, settings.key ? &*settings.key : nullptr};
    console.err << "run " << uuid_text(request.run) << "\n";
    CommandRun command_run{connection, settings.mysql, sender, signal, console};
    const SendLimits limits{.per_second = rate_from(options.rate).value(),
                            .stop_after = options.stop_after,
                            .wait = std::chrono::seconds{options.wait}};
    const Ending ending = command_run.carry(request.run, limits, pages, total);
    const auto& progress = command_run.progress();
    if (console.err_is_terminal) console.err << "\n";
    Json answer = to_json(progress);
    answer["run"] = uuid_text(request.run);
    answer["ending"] = std::string{name_of(ending)};
    print(console, form, answer, closing_words(ending, request, progress, help));
    return ending == Ending::answered && progress.went_well() ? Exit::ok : Exit::no;
}

}  // namespace sluice::ctl
