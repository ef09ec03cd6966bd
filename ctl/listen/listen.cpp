#include <algorithm>

#include "common/stop_signal.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/listen/listener.hpp"
#include "ctl/listen/message_text.hpp"
#include "ctl/listen/receiver.hpp"
#include "ctl/listen/signing_source.hpp"

namespace sluice::ctl {
namespace {

struct ListenOptions {
    std::uint16_t port = 0;
    std::vector<std::string> secret_files;
    int answer = 204;
    std::uint64_t count = 0;  // 0: any number
    std::string within;       // --for
    bool show_body = false;
    bool json = false;
};

/// Prints what comes.
class Printer final : public Recipient {
public:
    Printer(const ListenOptions& options, Receiver receiver, Console& console)
        : options_{options}, receiver_{std::move(receiver)}, console_{console} {}

    int take(const webhook::Request& request) override {
        const Message message = receiver_.take(request, console_.clock.wall());
        const auto text = options_.json ? message_json : message_text;
        console_.out << text(message, options_.show_body) << std::flush;
        ++taken_;
        return message.answer;
    }

    void refused(gate::Refusal why) override {
        const auto& row = gate::row_of(why);
        console_.err << "listen: a request is no message: " << row.name << ", answered " << row.status << "\n"
                     << std::flush;
    }

    /// Nor when nobody reads what it prints.
    [[nodiscard]] bool wants_more() const override {
        return console_.out.good() && (options_.count == 0 || taken_ < options_.count);
    }

private:
    const ListenOptions& options_;
    Receiver receiver_;
    Console& console_;
    std::uint64_t taken_ = 0;
};

std::optional<SteadyTime> end_of(const std::string& within, const Clock& clock) {
    if (within.empty()) return std::nullopt;
    const auto duration = duration_from_text(within);
    if (!duration) throw Stopped{Exit::usage, "--for must be a duration, such as 30s or 5m"};
    return clock.steady() + *duration;
}

Listener listener_on(std::uint16_t port, const Clock& clock) {
    try {
        return Listener{port, clock};
    } catch (const std::runtime_error&) {
        throw Stopped{Exit::usage,
                      "cannot listen on port " + std::to_string(port) +
                          " of 127.0.0.1: it is in use, or not for this user; --port 0 takes any"};
    }
}

Exit listen(const ListenOptions& options, Console& console) {
    const auto end = end_of(options.within, console.clock);
    Printer printer{options, Receiver{signing_source(options.secret_files, console), options.answer},
                    console};
    StopSignal signal;
    Listener listener = listener_on(options.port, console.clock);
    console.err << "listen: http://127.0.0.1:" << listener.port() << "/ "
                << (options.secret_files.empty() ? "takes any message: without --secret-file none is verified"
                                                 : "verifies signatures")
                << "; Ctrl-C ends it\n"
                << std::flush;
    listener.run(signal.descriptor(), end, printer);
    return Exit::ok;
}

}  // namespace

void add_listen(CLI::App& program, Console& console) {
    const auto options = std::make_shared<ListenOptions>();
    CLI::App& command = *program.add_subcommand(
        "listen",
        "Receive messages of effects (send) on this machine, verify and show them: for development");
    add_number(command, "--port", options->port, "On 127.0.0.1; 0: any that is free, which it prints", 0,
               65535);
    command
        .add_option(
            "--secret-file", options->secret_files,
            "A secret of the destination, whsec_ and base64; again for a second one while it is rolled. "
            "Without any, nothing is verified")
        ->type_name("FILE")
        ->expected(1)
        ->take_all();
    add_number(command, "--answer", options->answer,
               "Status for what it takes, to see what the relay does then", 200, 599);
    add_number(command, "--count", options->count, "End after so many messages; 0: any number", 0, 1e9);
    command.add_option("--for", options->within, "End after this time, such as 30s or 5m")->type_name("TIME");
    command.add_flag("--show-body", options->show_body, "Print bodies too, unmasked");
    command.add_flag("--json", options->json, "A JSON object for each message, one a line");
    add_footer(
        command,
        "  sluicectl listen --port 8099 --secret-file secrets/mail\n"
        "  sluicectl listen --port 8099 --secret-file secrets/new --secret-file secrets/old --show-body\n"
        "  sluicectl listen --port 8099 --answer 503 --for 5m\n"
        "  sluicectl listen --port 0 --count 1 --json --show-body\n"
        "\nThe destination is {http: {url: \"http://127.0.0.1:8099/\", allow: [127.0.0.0/8], secrets: "
        "[…]}}.\n"
        "A wrong, missing or stale signature is answered with 401. See docs/receivers.md.\n");
    command.callback([options, &console] { console.exit = listen(*options, console); });
}

}  // namespace sluice::ctl
