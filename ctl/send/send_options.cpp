#include "ctl/send/send_options.hpp"

#include "common/joined.hpp"
#include "ctl/send/signing/forgery.hpp"
#include "ctl/send/traffic/body_template.hpp"

namespace sluice::ctl {
namespace {

void add_what_options(CLI::App& command, SendOptions& options) {
    command
        .add_option(
            "--type", options.types,
            "Only this type; can be repeated. A wrong one lists the types that exist. Without it all of "
            "them; of Stripe the five of a shop with payments")
        ->allow_extra_args(false)
        ->type_name("T");
    command.add_option("--set", options.edits, edits_help)
        ->allow_extra_args(false)
        ->type_name("/POINTER=VALUE");
    command
        .add_option("--body", options.body_file,
                    "Send this body: byte for byte with --count 1 and without --set, otherwise with a new id "
                    "each time. The headers are those of the --type")
        ->type_name("FILE");
    command.add_option("--header", options.headers, "Add or replace a header; can be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
    add_number(command, "--customers", options.customers,
               "How many customers, starting with cus_sample00000001", 1, 99'999'999);
    command
        .add_option("--seed", options.seed,
                    "The same seed gives the same events in the same order; random by default")
        ->type_name("N");
}

void add_mix_options(CLI::App& command, SendOptions& options) {
    constexpr double most_percent = 1000;
    add_number(command, "--count", options.mix.events, "Events", 1, 1'000'000);
    add_number(command, "--duplicates", options.mix.duplicates,
               "Second deliveries, in percent of --count, in addition", 0, most_percent);
    add_number(command, "--forgeries", options.mix.forged,
               "Events with a wrong signature, in percent, in addition", 0, most_percent);
    add_number(command, "--stale", options.mix.stale,
               "Events whose signature is too old, in percent, in addition", 0, most_percent);
    add_number(command, "--stale-by", options.stale_by, "How old that is, in seconds", 1, 1'000'000'000);
    command
        .add_option("--bad", options.bad,
                    "What is wrong with forged ones; can be repeated. By default everything that the source "
                    "must refuse: " +
                        joined(forgery_names(), ", "))
        ->check(CLI::IsMember(forgery_names()).description(""))
        ->allow_extra_args(false)
        ->type_name("KIND");
    command.add_flag("--disorder", options.mix.disorder,
                     "Send deliveries out of order, and those of one object at the same time");
}

void add_key_options(CLI::App& command, SendOptions& options) {
    command
        .add_option("--signing-key", options.signing_key_file,
                    "If the source has only public keys: the private key that signs, in PEM")
        ->type_name("FILE");
    command
        .add_option("--certificate", options.certificate_file,
                    "If the key comes with the message (unionpay): its certificate, in PEM")
        ->type_name("FILE");
}

void add_sending_options(CLI::App& command, SendOptions& options) {
    command
        .add_option(
            "--url", options.url,
            "Where to send; the path can be left out. By default the listen address of the configuration")
        ->type_name("URL");
    add_number(command, "--rate", options.rate, "Deliveries per second; 0: as fast as they are answered", 0,
               1'000'000);
    add_number(command, "--concurrency", options.threads, "Connections", 1, 64);
    add_number(command, "--timeout", options.timeout, "Seconds to wait for an answer", 0.01, 600);
    command.add_flag("--retry", options.retry,
                     "Send again what did not get a 2xx, signed again, like a provider");
    add_number(command, "--attempts", options.attempts, "With --retry: how often at most", 1, 1000);
    command.add_option("--ca-file", options.ca_file, "For https: CA certificates to verify the server with")
        ->type_name("FILE");
    command
        .add_option("--events", options.events_file,
                    "Write one JSON line per attempt: what was sent and what was answered")
        ->type_name("FILE");
    command
        .add_option("--save", options.save_folder,
                    "Send nothing; write each request to this folder, as sluicectl verify --request reads it")
        ->type_name("FOLDER");
    command.add_flag("--allow-remote", options.allow_remote, "Allow sending to another machine");
    command.add_flag("-q,--quiet", options.quiet, "Do not show progress");
}

}  // namespace

void add_send_options(CLI::App& command, SendOptions& options) {
    auto* source =
        command.add_option("--source", options.source, "Name of the source; its first live key signs")
            ->type_name("NAME");
    auto* provider = command
                         .add_option("--provider", options.provider,
                                     "Instead of --source: the only source of this provider or recipe")
                         ->type_name("NAME");
    source->excludes(provider);
    add_what_options(command, options);
    add_mix_options(command, options);
    add_key_options(command, options);
    add_sending_options(command, options);
}

}  // namespace sluice::ctl
