#include <format>
#include <memory>

#include "command/config/answers.hpp"
#include "command/config/command_set.hpp"
#include "command/record/by_hand.hpp"
#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/store/command/command_key.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/output.hpp"
#include "ctl/command/command_commands.hpp"
#include "ctl/command/settle/call_records.hpp"
#include "ctl/command/unlisted.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t longest_note = 255;  // bytes, as MySQL keeps it
constexpr std::size_t longest_response = 65'536;

struct CommandSettleOptions : SignedBy {
    CommonOptions common;
    std::string command;
    std::string key;
    std::string caller;
    std::string digest;
    std::string as;
    int status = 200;
    std::string body;
    bool apply = false;

    [[nodiscard]] bool is_executed() const { return as == "executed"; }
    [[nodiscard]] std::string note() const { return "by hand, " + operator_name + ": " + reason; }
};

void refuse_settling(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw Stopped{Exit::usage, sentence};
}

void refuse_unless_settling_is_sound(const CommandSettleOptions& options) {
    refuse_settling(options.digest.empty() == options.key.empty(),
                    "give KEY and --caller, or --digest with the 64 digits that the log has");
    refuse_settling(!options.key.empty() && options.caller.empty(),
                    "each caller has keys of its own: give --caller PRINCIPAL, as list shows it");
    refuse_settling(options.is_executed() == options.body.empty(),
                    "--as executed takes --body FILE, the response of the service; not-executed has none");
    refuse_settling(
        !command::is_storable(options.status) || command::says_again(options.status) || options.status == 204,
        "--status must be 2xx or 4xx, but not 204, which has no body, nor 408, 425 or 429, which say that it "
        "may be sent again");
    if (!options.apply) return;
    refuse_unless_signed(options);
    refuse_settling(options.note().size() > longest_note,
                    "--operator and --reason must have at most 240 bytes together");
}

crypto::Digest digest_named(const CommandSettleOptions& options) {
    if (options.digest.empty()) return store::command_digest(options.caller, options.command, options.key);
    const auto digest = crypto::digest_from_hex(options.digest, true);
    refuse_settling(!digest, "--digest takes 64 hexadecimal digits");
    return *digest;
}

command::Response response_given(const CommandSettleOptions& options) {
    if (!options.is_executed()) return {};
    command::Response response{.status = options.status, .body = file_content(options.body)};
    refuse_settling(response.body.size() > longest_response, "a response has at most 65536 bytes");
    refuse_settling(!Json::accept(response.body), "--body must be JSON, as responses of commands are");
    return response;
}

std::string what_is(const command::KnownCall& known) {
    const std::string since = to_rfc3339(known.begun_at);
    if (!known.end) return std::format("in progress since {}, fence {}", since, known.claim.fence);
    return std::format("begun at {}, and nobody knows whether it was executed: {}", since, known.end->why);
}

std::string what_becomes(const command::CallEnd& end) {
    if (end.state == command::CallEnd::State::failed)
        return "It will count as not executed: the next request with the key calls again.";
    return std::format("Its first response, for every request with the key: {} {}", end.response.status,
                       redact::masked_body(end.response.body));
}

void stop_unless_ours(command::EndedBy by) {
    if (by == command::EndedBy::another)
        throw Stopped{Exit::no,
                      "somebody was faster, and nothing was changed: without --apply it says what is there"};
    if (by == command::EndedBy::nobody_knows)
        throw Stopped{
            Exit::no,
            "it has changed again since, and nobody knows whether this has ended it before: without "
            "--apply it says what is there"};
}

Json settled_json(const CommandSettleOptions& options, const crypto::Digest& key, bool is_changed) {
    return {{"command", options.command},
            {"digest", crypto::to_hex(crypto::as_text(key))},
            {"as", options.as},
            {"changed", is_changed}};
}

Exit settle(const CommandSettleOptions& options, Console& console) {
    refuse_unless_settling_is_sound(options);
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const command::CommandSet set = command::CommandSet::read(document);
    const command::Definition* definition = set.find(options.command);
    refuse_settling(definition == nullptr, "the file has no command of this name");
    CallRecords records{*definition, document, problems, console.clock};
    refuse_if_any(problems, console);
    const crypto::Digest key = digest_named(options);
    const auto known = records.find(key);
    const auto seen = options.is_executed() ? command::Seen::executed : command::Seen::not_executed;
    const std::string why_not = command::why_not_by_hand(known, *definition, seen, console.clock.wall());
    if (!known) console.err << what_is_unknown(document, {"", options.caller});
    if (!why_not.empty()) throw Stopped{Exit::no, "nothing was changed: " + why_not};
    const auto end = command::ended_by_hand(seen, *definition, response_given(options), options.note());
    std::string text = std::format("{}: {}.\n{}\n", options.command, what_is(*known), what_becomes(end));
    if (options.apply) stop_unless_ours(records.settle(*known, end));
    text += options.apply ? "Done.\n" : "Nothing was changed. --apply does it.\n";
    print(console, options.common.chosen_form(), settled_json(options, key, options.apply), text);
    return Exit::ok;
}

}  // namespace

void add_command_settle(CLI::App& commands, Console& console) {
    const auto options = std::make_shared<CommandSettleOptions>();
    CLI::App& command = *commands.add_subcommand(
        "settle", "End a command by hand that is in progress for too long, or that nobody knows about");
    add_config_option(command, options->common, variable_of_their_file());
    command.add_option("COMMAND", options->command, "Its name in the configuration")->required();
    command.add_option("KEY", options->key, "The key as list shows it");
    command.add_option("--caller", options->caller, "The principal of the caller")->type_name("PRINCIPAL");
    command
        .add_option("--digest", options->digest,
                    "In place of both: digest of list, idempotency_key of the log")
        ->type_name("DIGEST");
    command.add_option("--as", options->as, "What you saw: executed or not-executed")
        ->required()
        ->type_name("WHAT")
        ->check(CLI::IsMember({"executed", "not-executed"}));
    add_number(command, "--status", options->status, "Of the response of what was executed", 200, 499);
    command.add_option("--body", options->body, "The file with its JSON; - reads it from standard input")
        ->type_name("FILE");
    add_operator_and_reason(command, *options);
    command.add_flag("--apply", options->apply, "Do it; without it, only say what would be done");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl command settle refund k1 --caller shop-team --as not-executed\n"
               "  sluicectl command settle refund k1 --caller shop-team --as executed --body paid.json \\\n"
               "    --operator ada --reason 'seen in the ledger of refunds' --apply\n"
               "\nLook at the service first. What was executed and is settled as not-executed is executed\n"
               "again. It needs an account that may change command_key where sluice-command keeps it.\n"
               "Operator and reason are kept with the key, and its caller may see them.\n");
    command.callback([options, &console] { console.exit = settle(*options, console); });
}

}  // namespace sluice::ctl
