#include <memory>
#include <optional>

#include "ctl/cli/commands.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/source_of.hpp"
#include "ctl/verify/verdict.hpp"

namespace sluice::ctl {
namespace {

struct VerifyOptions {
    CommonOptions common;
    std::string source;
    std::string request;
    std::optional<std::int64_t> now;
};

Exit verify_request(const VerifyOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto source = source_of(document, options.source, problems, console);
    const WallTime now = options.now ? WallTime{std::chrono::seconds{*options.now}} : console.clock.wall();
    const Verdict verdict = judge(*source, file_content(options.request), now);
    print(console, options.common.chosen_form(), to_json(verdict), to_people(verdict));
    return verdict.accepted ? Exit::ok : Exit::no;
}

}  // namespace

void add_verify(CLI::App& program, Console& console) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App& command = *program.add_subcommand(
        "verify", "How the ingress would judge one raw HTTP request: verdict, failed check, what was read");
    add_config_option(command, options->common);
    command.add_option("--source", options->source, "Name of the source")->required()->type_name("NAME");
    command
        .add_option("--request", options->request,
                    "The request: head with CRLF line endings, empty line, raw body")
        ->required()
        ->type_name("FILE");
    command.add_option("--now", options->now, "Judge at this time (default: now)")->type_name("UNIX");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl verify --config sluice.yaml --source stripe-eu --request captured.http\n"
               "  sluicectl verify --source stripe-eu --now 1790000000 --request captured.http --json\n");
    command.callback([options, &console] { console.exit = verify_request(*options, console); });
}

}  // namespace sluice::ctl
