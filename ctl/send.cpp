#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <format>
#include <memory>
#include <optional>

#include "common/config/connections.hpp"
#include "common/crypto/random.hpp"
#include "ctl/commands.hpp"
#include "ctl/file_content.hpp"
#include "ctl/options.hpp"
#include "ctl/source_of.hpp"
#include "ctl/traffic/run_traffic.hpp"
#include "ctl/traffic/stripe_story.hpp"

namespace sluice::ctl {
namespace {

struct SendOptions {
    CommonOptions common;
    std::string source;
    std::string url;
    std::vector<std::string> types;
    std::vector<std::string> edits;
    std::string body_file;
    Mix mix{.events = 1};
    std::size_t customers = 20;
    double rate = 0;
    std::size_t threads = 8;
    std::optional<std::uint64_t> seed;
    double timeout = 10;
    bool retry = false;
    int attempts = 10;
    std::int64_t stale_by = 600;
    std::string ca_file;
    std::string events_file;
    bool allow_remote = false;
    bool quiet = false;
};

std::atomic<bool> interrupted{false};

Endpoint endpoint_of(const SendOptions& options, const config::Document& document, config::Problems& problems,
                     const verify::Source& source, Console& console) {
    std::string url = options.url;
    if (url.empty()) {
        url = url_of(config::read_listen(document, problems));
        refuse_if_any(problems, console);
    }
    const Endpoint endpoint = endpoint_from_url(url, source.path);
    if (options.allow_remote || is_loopback(endpoint.host)) return endpoint;
    throw Stopped{Exit::usage, "\"" + endpoint.host +
                                   "\" is not this machine: signed events there may move money. " +
                                   "If that is what you want, add --allow-remote"};
}

BodyMaker::Settings bodies_of(const SendOptions& options) {
    BodyMaker::Settings bodies;
    for (const auto& edit : options.edits) bodies.edits.push_back(edit_from_text(edit));
    if (!options.body_file.empty()) bodies.own_body = file_content(options.body_file);
    bodies.own_body_as_it_is = options.mix.events == 1 && bodies.edits.empty();
    return bodies;
}

/// Genuine events first, then those of forged and stale deliveries, told by a story of their own.
std::vector<SampleEvent> events_of(const SendOptions& options, std::uint64_t seed, std::int64_t created) {
    const auto& types = options.types.empty() ? stripe_story_types() : options.types;
    StripeStory genuine{{.types = types, .customers = options.customers, .seed = seed, .created = created}};
    StripeStory others{{.types = types, .customers = options.customers, .seed = ~seed, .created = created}};
    std::vector<SampleEvent> events;
    events.reserve(options.mix.events + extra_events(options.mix));
    for (std::size_t i = 0; i < options.mix.events; ++i) events.push_back(genuine.next());
    for (std::size_t i = 0; i < extra_events(options.mix); ++i) events.push_back(others.next());
    return events;
}

/// Every edit must fit every type that will be sent: found out before the first byte leaves.
void try_bodies(const Traffic& traffic) {
    const BodyMaker maker{traffic.bodies};
    std::vector<std::string> tried;
    for (const auto& event : traffic.events) {
        if (std::ranges::contains(tried, event.type)) continue;
        tried.push_back(event.type);
        static_cast<void>(maker.make(event, Kind::fresh));
    }
}

Traffic traffic_of(const SendOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    Traffic traffic;
    traffic.source = source_of(document, options.source, problems, console);
    traffic.endpoint = endpoint_of(options, document, problems, *traffic.source, console);
    traffic.seed = options.seed ? *options.seed : std::stoull(crypto::random_hex(4), nullptr, 16);
    const auto now = std::chrono::floor<std::chrono::seconds>(console.clock.wall());
    traffic.events = events_of(options, traffic.seed, now.time_since_epoch().count());
    Mix mix = options.mix;
    mix.seed = traffic.seed;
    traffic.plan = plan_of(mix);
    traffic.bodies = bodies_of(options);
    traffic.rate = options.rate;
    traffic.threads = std::min(options.threads, std::max<std::size_t>(1, traffic.plan.size()));
    traffic.disorder = options.mix.disorder;
    traffic.attempts = options.retry ? options.attempts : 1;
    traffic.stale_by = std::chrono::seconds{options.stale_by};
    traffic.timeout = Milliseconds{static_cast<std::int64_t>(options.timeout * 1000)};
    traffic.ca_file = options.ca_file;
    traffic.events_file = options.events_file;
    try_bodies(traffic);
    return traffic;
}

std::function<void(const Progress&)> reporter(const SendOptions& options, Console& console) {
    if (options.quiet) return [](const Progress&) {};
    return [&console](const Progress& progress) {
        const std::string line = std::format("{} of {} deliveries done", progress.settled, progress.planned);
        const bool is_done = progress.settled == progress.planned;
        console.err << (console.err_is_terminal ? "\r" : "") << line
                    << (console.err_is_terminal && !is_done ? "" : "\n") << std::flush;
    };
}

Json summary_of(const Traffic& traffic, const Tally& tally, double seconds, std::size_t events) {
    Json summary{{"source", traffic.source->name},
                 {"url", traffic.endpoint.origin + traffic.endpoint.path},
                 {"seed", traffic.seed},
                 {"events", events},
                 {"deliveries", traffic.plan.size()},
                 {"seconds", std::round(seconds * 1000) / 1000},
                 {"per_second", std::round(static_cast<double>(tally.answers()) / seconds)}};
    summary.update(tally.to_json());
    return summary;
}

Exit exit_of(const Tally& tally) {
    if (tally.answers() == 0) return Exit::unreachable;
    return tally.is_as_it_should_be() && !interrupted ? Exit::ok : Exit::no;
}

Exit send(const SendOptions& options, Console& console) {
    const Traffic traffic = traffic_of(options, console);
    interrupted = false;
    std::signal(SIGINT, [](int) { interrupted = true; });
    std::signal(SIGTERM, [](int) { interrupted = true; });
    const SteadyTime start = console.clock.steady();
    const Tally tally = run_traffic(traffic, console.clock, interrupted, reporter(options, console));
    const double seconds = std::chrono::duration<double>(console.clock.steady() - start).count();
    const Json summary = summary_of(traffic, tally, std::max(seconds, 0.001), options.mix.events);
    const std::string head = std::format("{} events to {} in {:.1f} s, {} answers a second, seed {}\n\n",
                                         options.mix.events, traffic.endpoint.origin + traffic.endpoint.path,
                                         seconds, summary["per_second"].get<double>(), traffic.seed);
    print(console, options.common.chosen_form(), summary, head + tally.to_people());
    if (interrupted) console.err << "sluicectl: stopped before everything was sent\n";
    return exit_of(tally);
}

void add_what_options(CLI::App& command, SendOptions& options) {
    std::string types;
    for (const auto& type : stripe_story_types()) types += (types.empty() ? "" : ", ") + type;
    auto* type = command.add_option("--type", options.types, "Only this type, may be repeated: " + types);
    type->check(CLI::IsMember(stripe_story_types()).description(""))->allow_extra_args(false)->type_name("T");
    command
        .add_option("--set", options.edits,
                    "Change every body, such as /data/object/amount=500; may be repeated")
        ->allow_extra_args(false)
        ->type_name("/POINTER=VALUE");
    command
        .add_option(
            "--body", options.body_file,
            "Send this body: byte for byte with --count 1 and no --set, otherwise each with an id of its own")
        ->excludes(type)
        ->type_name("FILE");
    add_number(command, "--customers", options.customers, "How many customers, from cus_sample00000001 on", 1,
               99'999'999);
    command
        .add_option("--seed", options.seed,
                    "The same seed gives the same events in the same order; chance by default")
        ->type_name("N");
}

void add_mix_options(CLI::App& command, SendOptions& options) {
    constexpr double most_percent = 1000;
    add_number(command, "--count", options.mix.events, "Events", 1, 1'000'000);
    add_number(command, "--duplicates", options.mix.duplicates,
               "Second deliveries, in percent of --count, on top", 0, most_percent);
    add_number(command, "--forgeries", options.mix.forged,
               "Events that are wrongly signed, in percent, on top", 0, most_percent);
    add_number(command, "--stale", options.mix.stale, "Events whose signature is too old, in percent, on top",
               0, most_percent);
    add_number(command, "--stale-by", options.stale_by, "How old that is, in seconds", 1, 1'000'000'000);
    command.add_flag("--disorder", options.mix.disorder,
                     "Deliveries change places and those of one object are under way at the same time");
}

void add_sending_options(CLI::App& command, SendOptions& options) {
    command
        .add_option("--url", options.url,
                    "Where to; the path may be left out. By default the configuration's listen address")
        ->type_name("URL");
    add_number(command, "--rate", options.rate, "Deliveries a second, 0: as fast as they are answered", 0,
               1'000'000);
    add_number(command, "--concurrency", options.threads, "Connections", 1, 64);
    add_number(command, "--timeout", options.timeout, "Seconds to wait for an answer", 0.01, 600);
    command.add_flag("--retry", options.retry, "Send again what got no 2xx, signed anew, like a provider");
    add_number(command, "--attempts", options.attempts, "With --retry, how often at most", 1, 1000);
    command
        .add_option("--ca-file", options.ca_file, "For https: who may have signed the server's certificate")
        ->type_name("FILE");
    command
        .add_option("--events", options.events_file,
                    "One JSON line per attempt: what was sent, what was answered")
        ->type_name("FILE");
    command.add_flag("--allow-remote", options.allow_remote, "Send to another machine than this one");
    command.add_flag("-q,--quiet", options.quiet, "No progress");
}

}  // namespace

void add_send(CLI::App& program, Console& console) {
    const auto options = std::make_shared<SendOptions>();
    CLI::App& command = *program.add_subcommand(
        "send", "Signed sample traffic for a source, good and bad, and what was answered");
    add_config_option(command, options->common);
    command.add_option("--source", options->source, "Name of the source; its first live key signs")
        ->required()
        ->type_name("NAME");
    add_what_options(command, *options);
    add_mix_options(command, *options);
    add_sending_options(command, *options);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl send --config sluice.yaml --source stripe-eu\n"
               "  sluicectl send --source stripe-eu --count 2000 --rate 500 --duplicates 10 --forgeries 2 "
               "--stale 2 --disorder\n"
               "  sluicectl send --source stripe-eu --type charge.refunded --set /data/object/customer=cus_1 "
               "--seed 7\n");
    command.callback([options, &console] { console.exit = send(*options, console); });
}

}  // namespace sluice::ctl
