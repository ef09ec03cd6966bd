#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <format>
#include <fstream>
#include <memory>
#include <string>

#include "ctl/cli/commands.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/send/send_options.hpp"
#include "ctl/send/send_traffic.hpp"
#include "ctl/send/traffic/run_traffic.hpp"

namespace sluice::ctl {
namespace {

std::string raw_request(const OutgoingRequest& request, const std::string& host) {
    std::string text = "POST " + request.target + " HTTP/1.1\r\nHost: " + host + "\r\n";
    for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
    return text + "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
}

std::string kind_of(const Traffic& traffic, std::size_t position) {
    const Kind kind = traffic.plan[position].kind;
    if (kind != Kind::forged) return std::string{name_of(kind)};
    return std::string{name_of(forgery_of(traffic, position))};
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    if (!out.flush()) throw Stopped{Exit::usage, file.string() + " cannot be written"};
}

/// Instead of sending: every delivery once, as the raw request that `sluicectl verify --request` and
/// `sluicectl recipes test` read, in files that name their place and kind: folder/000001-fresh.http. What was
/// written, one row each. Throws Stopped(usage) when the folder or a file cannot be made.
Json save_traffic(const Traffic& traffic, const Clock& clock, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Stopped{Exit::usage, folder + " cannot be created: " + error.message()};
    const RequestMaker maker{traffic.maker};
    Json rows = Json::array();
    for (std::size_t i = 0; i < traffic.plan.size(); ++i) {
        const ReadyRequest ready = made_ready(traffic, maker, traffic.plan[i], i, clock.wall());
        if (!ready.is_signed) throw Stopped{Exit::usage, "cannot be signed: " + ready.is_signed.error()};
        const auto file =
            std::filesystem::path{folder} / std::format("{:06}-{}.http", i + 1, kind_of(traffic, i));
        write(file, raw_request(ready.request, traffic.endpoint.host));
        rows.push_back({{"file", file.string()},
                        {"kind", kind_of(traffic, i)},
                        {"id", ready.facts.id},
                        {"type", ready.facts.type},
                        {"object", ready.facts.object}});
    }
    return rows;
}

std::atomic<bool> interrupted{false};

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

Exit save(const SendOptions& options, const Traffic& traffic, Console& console) {
    const Json rows = save_traffic(traffic, console.clock, options.save_folder);
    Table table{{"FILE", "KIND", "ID", "TYPE", "OBJECT"}};
    for (const Json& row : rows) {
        table.row({row["file"].get<std::string>(), row["kind"].get<std::string>(),
                   row["id"].get<std::string>(), row["type"].get<std::string>(),
                   row["object"].get<std::string>()});
    }
    print(console, options.common.chosen_form(), rows, table.text());
    return Exit::ok;
}

Exit send(const SendOptions& options, Console& console) {
    const Traffic traffic = traffic_of(options, console);
    if (!options.save_folder.empty()) return save(options, traffic, console);
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

}  // namespace

void add_send(CLI::App& program, Console& console) {
    const auto options = std::make_shared<SendOptions>();
    CLI::App& command = *program.add_subcommand(
        "send", "Send signed sample webhooks to a source, good and bad ones, and report the answers");
    add_config_option(command, options->common);
    add_send_options(command, *options);
    add_output_options(command, options->common);
    add_footer(
        command,
        "  sluicectl send --config sluice.yaml --source stripe-eu\n"
        "  sluicectl send --source stripe-eu --count 2000 --rate 500 --duplicates 10 --forgeries 2 "
        "--stale 2 --disorder\n"
        "  sluicectl send --source stripe-eu --type charge.refunded --set /data/object/customer=cus_1 "
        "--seed 7\n"
        "  sluicectl send --provider adyen --forgeries 100 --bad other-account\n"
        "  sluicectl send --provider wechat-pay --signing-key platform.key.pem --save requests\n"
        "\nSENT is what was sent. DECISION is what the ingress made of it, as the header Sluice-Decision of\n"
        "its answer says: accepted (Kafka has it, or a journal of\n"
        "`spill`), duplicate (Kafka had it before), quarantined (the recipe cannot read it:\n"
        "`sluicectl dlq list --kind unreadable` says why). Answers without success have "
        "none.\n");
    command.callback([options, &console] { console.exit = send(*options, console); });
}

}  // namespace sluice::ctl
