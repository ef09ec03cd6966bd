#include <algorithm>
#include <filesystem>
#include <format>
#include <memory>
#include <system_error>

#include "common/config/settings/host_port.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/source_of.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/paypal/address_line.hpp"
#include "ctl/paypal/certificate_address.hpp"
#include "ctl/paypal/download.hpp"
#include "ctl/paypal/file_in_place.hpp"
#include "ctl/paypal/holding.hpp"

namespace sluice::ctl {
namespace {

using webhook::CertificateFolder;
using webhook::CertificateTrust;

struct PaypalOptions {
    CommonOptions common;
    std::string source;
    std::vector<std::string> urls;
    std::vector<std::string> requests;
    std::string ca_file;
    std::string connect_to;
    double timeout = 10;
    bool again = false;
    bool apply = false;
};

std::shared_ptr<const webhook::Source> source_with_folder(const PaypalOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    auto source = source_of(document, options.source, problems, console);
    const auto& trust = source->program->certificate;
    if (!trust || trust->rule.hosts_setting.empty())
        throw Stopped{Exit::usage,
                      "source \"" + source->name + "\" does not look up certificates by address"};
    return source;
}

std::vector<std::string> addresses_of(const PaypalOptions& options, const CertificateTrust& trust) {
    std::vector<std::string> addresses = options.urls;
    for (const auto& file : options.requests)
        addresses.push_back(address_in_request(file_content(file), file, trust.rule.from));
    if (addresses.empty()) throw Stopped{Exit::usage, "no address: give --url or --from-request"};
    std::vector<std::string> once;
    for (auto& address : addresses) {
        if (!std::ranges::contains(once, address)) once.push_back(std::move(address));
    }
    return once;
}

DownloadRules rules_of(const PaypalOptions& options) {
    DownloadRules rules{.ca_file = options.ca_file,
                        .by_way_of = std::nullopt,
                        .within = Milliseconds{static_cast<std::int64_t>(options.timeout * 1000)},
                        .longest = CertificateFolder::longest_file};
    if (options.connect_to.empty()) return rules;
    rules.by_way_of = config::host_port_from_text(options.connect_to);
    if (!rules.by_way_of || !config::is_address(rules.by_way_of->host))
        throw Stopped{Exit::usage, "--connect-to must be a numeric address and a port, as in 127.0.0.1:8443"};
    return rules;
}

/// Files that no certificates were read from.
std::vector<std::string> unreadable_in(const CertificateFolder& folder) {
    std::vector<std::string> unreadable;
    if (!CertificateFolder::read(folder.path(), unreadable))
        throw Stopped{Exit::no, "the folder " + folder.path() + " can no longer be read"};
    return unreadable;
}

void fetch_one(AddressLine& line, const CertificateTrust& trust, const DownloadRules& rules,
               Console& console) {
    console.err << "fetching " << line.address << '\n' << std::flush;
    const auto answer = download(line.address, rules);
    if (answer) return judge_answer(line, trust, *answer, console.clock.wall());
    line.state =
        answer.error().is_unreachable ? AddressLine::State::unreachable : AddressLine::State::refused;
    line.holding.why = answer.error().why;
}

std::vector<AddressLine> plan_fetch(const PaypalOptions& options, const CertificateTrust& trust,
                                    Console& console) {
    const DownloadRules rules = rules_of(options);
    std::vector<AddressLine> lines;
    for (const auto& address : addresses_of(options, trust)) {
        auto& line = lines.emplace_back(look_up(trust, address, console.clock.wall()));
        const bool is_due = line.state == AddressLine::State::wanted ||
                            (options.again && line.state == AddressLine::State::there);
        if (is_due) fetch_one(line, trust, rules, console);
    }
    refuse_beyond_room(lines, trust.cache.all().size() + unreadable_in(trust.cache).size());
    return lines;
}

void write_planned(std::vector<AddressLine>& lines, const CertificateFolder& folder) {
    for (auto& line : lines) {
        if (line.state != AddressLine::State::to_be_written) continue;
        try {
            put_in_place(std::filesystem::path{folder.path()} / line.holding.file, line.text);
            line.state = AddressLine::State::written;
        } catch (const std::system_error& error) {
            line.state = AddressLine::State::refused;
            line.holding.why = error.what();
        }
    }
}

std::string hint_of(const std::vector<AddressLine>& lines) {
    const bool is_plan = std::ranges::contains(lines, AddressLine::State::to_be_written, &AddressLine::state);
    return is_plan ? "\nNothing was changed. --apply writes these files.\n" : "";
}

Exit fetch_certificates(const PaypalOptions& options, Console& console) {
    const auto source = source_with_folder(options, console);
    const CertificateTrust& trust = *source->program->certificate;
    std::vector<AddressLine> lines = plan_fetch(options, trust, console);
    if (options.apply) write_planned(lines, trust.cache);
    const WallTime now = console.clock.wall();
    const Json json{{"folder", trust.cache.path()}, {"certificates", to_json(lines, now)}};
    print(console, options.common.chosen_form(), json, to_people(lines, now) + hint_of(lines));
    return exit_of(lines);
}

Exit list_certificates(const PaypalOptions& options, Console& console) {
    const auto source = source_with_folder(options, console);
    const CertificateTrust& trust = *source->program->certificate;
    const WallTime now = console.clock.wall();
    const auto holdings = holdings_of(trust, unreadable_in(trust.cache), now);
    const Json json{{"folder", trust.cache.path()}, {"certificates", to_json(holdings, now)}};
    print(console, options.common.chosen_form(), json,
          holdings.empty() ? trust.cache.path() + " has no certificates\n" : to_people(holdings, now));
    return std::ranges::all_of(holdings, [](const auto& one) { return one.why.empty(); }) ? Exit::ok
                                                                                          : Exit::no;
}

void add_source_options(CLI::App& command, PaypalOptions& options) {
    add_config_option(command, options.common);
    command.add_option("--source", options.source, "Name of the source")->required()->type_name("NAME");
}

void add_fetch(CLI::App& paypal, Console& console) {
    const auto options = std::make_shared<PaypalOptions>();
    CLI::App& command = *paypal.add_subcommand(
        "fetch", "Fetch certificates into cert_cache; only those that the ingress would trust are written");
    add_source_options(command, *options);
    command
        .add_option("--url", options->urls, "Address of a certificate, at one of cert_hosts; can be repeated")
        ->type_name("URL");
    command
        .add_option("--from-request", options->requests,
                    "A captured raw HTTP request: the address is in its PAYPAL-CERT-URL")
        ->type_name("FILE");
    command.add_flag("--apply", options->apply, "Write what was fetched; without it, only show it");
    command.add_flag("--again", options->again, "Also fetch certificates that are present and valid");
    add_number(command, "--timeout", options->timeout, "Timeout for one address, in seconds", 0.01, 600);
    command
        .add_option("--ca-file", options->ca_file,
                    "CA certificates to verify the server with (default: those of the system)")
        ->check(CLI::ExistingFile.description(""))
        ->type_name("FILE");
    command
        .add_option("--connect-to", options->connect_to,
                    "Connect to this address instead of the host in the URL; TLS and the request still name "
                    "that host. For tests, and for machines that reach the host in another way")
        ->type_name("IP:PORT");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl paypal fetch --source paypal --from-request captured.http\n"
               "  sluicectl paypal fetch --source paypal --url "
               "https://api.paypal.com/v1/notifications/certs/CERT-1 --apply\n");
    command.callback([options, &console] { console.exit = fetch_certificates(*options, console); });
}

void add_list(CLI::App& paypal, Console& console) {
    const auto options = std::make_shared<PaypalOptions>();
    CLI::App& command =
        *paypal.add_subcommand("list",
                               "The certificates in cert_cache, until when they are valid, and which are not "
                               "trusted; exits with 1 if there are any of those");
    add_source_options(command, *options);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl paypal list --config sluice.yaml --source paypal\n"
               "  sluicectl paypal list --source paypal --json\n");
    command.callback([options, &console] { console.exit = list_certificates(*options, console); });
}

}  // namespace

void add_paypal(CLI::App& program, Console& console) {
    CLI::App& paypal =
        *program.add_subcommand("paypal", "Certificates with which PayPal's webhooks are verified");
    paypal.require_subcommand(1);
    add_fetch(paypal, console);
    add_list(paypal, console);
}

}  // namespace sluice::ctl
