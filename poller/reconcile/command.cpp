#include "poller/reconcile/command.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <ranges>

#include "common/config/problems.hpp"
#include "common/running.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/readiness.hpp"
#include "common/time_text.hpp"
#include "poller/config/config.hpp"
#include "poller/reconcile/broken_off.hpp"
#include "poller/reconcile/id_file.hpp"
#include "poller/reconcile/reconciliation.hpp"

namespace sluice::poller {
namespace {

constexpr int not_finished = 3;
constexpr Milliseconds between_signals{100};

constexpr const char* epilogue = R"(
--config (or SLUICE_CONFIG) is that of sluice-poller.

Examples:
  sluice-poller reconcile --source stripe-eu-list --from 7d
  sluice-poller reconcile --source stripe-eu-list --from 2026-11-20 --to 2026-11-22 --json
  sluice-poller reconcile --source stripe-eu-list --from 7d --apply --operator ada --reason "Kafka lost a disk"
  sluice-poller reconcile --source adyen-eu --file ids.txt

It asks the provider for the events of that time and looks for each in the inbox. With --apply it publishes
those that are missing and were created when the account was served here; the consumers' inbox drops what was
only late.

Exit status: 0 all was judged, and nothing is missing; 1 something was missing, also if it is published now; 2 the command line or
the configuration is wrong; 3 it could not look at all: the provider, MySQL or Kafka does not answer, or some
of the events could not be judged (unreadable, or too old) and none of the others is missing.)";

void refuse(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw config::Refused{sentence};
}

void refuse_unless_fitting(const ReconcileOptions& options) {
    if (options.file.empty()) return refuse(options.from.empty(), "give --from TIME, or --file FILE");
    refuse(options.applies,
           "--apply publishes events, and a file has their ids alone: compare a list (--from)");
    refuse(!options.from.empty() || !options.to.empty() || options.undelivered || options.before_first,
           "--from, --to, --delivery-failed and --before-first are for a list: give them, or --file");
}

void refuse_unless_signed(const ReconcileOptions& options) {
    if (!options.applies) return;
    const std::string why = why_not_signed(options);
    refuse(!why.empty(), "--apply: " + why);
}

WallTime time_of(const std::string& name, const std::string& text, WallTime now) {
    auto time = from_rfc3339(text);
    if (const auto day = day_from_text(text)) time = *day;
    if (const auto ago = duration_from_text(text)) time = now - *ago;
    refuse(!time, name + " must be a time (2026-11-22T10:00:00Z), a day, or how long ago (2h)");
    return std::chrono::floor<std::chrono::seconds>(*time);
}

/// As this run is to ask it.
const PollSettings& poll_of(Config& config, const ReconcileOptions& options) {
    const auto found = std::ranges::find_if(
        config.polls, [&](const PollSettings& poll) { return poll.source->name == options.source; });
    refuse(found == config.polls.end(), "--source: no source \"" + options.source + "\" with poll");
    const EventList::Facts facts = found->list->facts();
    const std::string list = "the list of " + std::string{facts.recipe};
    refuse(options.undelivered && !facts.tells_delivery,
           "--delivery-failed: " + list + " does not tell which events could not be delivered");
    found->wanted.undelivered = options.undelivered;
    return *found;
}

std::vector<std::string> ids_of(const std::string& file) {
    if (file == "-") return read_ids(std::cin);
    std::ifstream in{file};
    refuse(!in, "--file: " + file + " cannot be read");
    return read_ids(in);
}

/// Until it ends; a stop signal ends it sooner.
Report run_until(StopSignal& signal, std::function<Report(const std::stop_token&)> work) {
    Running<Report> running{"reconcile", std::move(work)};
    while (!running.has_ended())
        if (signal.wait(between_signals) == StopSignal::Event::stop) running.ask_stop();
    return running.result();
}

Report compare_file(const Config& config, const ReconcileOptions& options, StopSignal& signal) {
    const auto source = std::ranges::find(config.sources, options.source, &webhook::Source::name);
    refuse(source == config.sources.end(), "--source: no source \"" + options.source + "\"");
    const auto ids = ids_of(options.file);
    Books books{config.mysql};
    return run_until(
        signal, [&](const std::stop_token& stop) { return IdComparison{**source, books}.run(ids, stop); });
}

CutWindow window_of(const ReconcileOptions& options, const PollSettings& poll, const Config& config,
                    Books& books, WallTime now) {
    const Window asked{time_of("--from", options.from, now),
                       options.to.empty() ? now : time_of("--to", options.to, now)};
    refuse(asked.is_empty(), "--from must be before --to");
    CutWindow window = cut(asked, now, keeping_of(poll, config.inbox_keep, books));
    std::string why = "nothing of this time can be compared";
    for (const std::string& cut : window.cuts) why += "\n  " + cut;
    refuse(window.window.is_empty(), why);
    return window;
}

void say(const Report& report, WallTime until) {
    std::cerr << "until " << to_rfc3339(until).substr(0, 16) << ": " << report.counts.listed << " listed, "
              << report.counts.missing << " missing\n";
}

/// One run with all that it needs, and nothing that the program needs beside it.
class Command {
public:
    Command(Config& config, const ReconcileOptions& options)
        : poll_{poll_of(config, options)},
          log_{{.program = "sluice-poller",
                .level = std::max(config.log.level, LogLevel::warn),
                .descriptor = 2}},
          account_{poll_.budget, clock_, budget_left(metrics_, poll_.source->name)},
          walk_metrics_{metrics_, poll_},
          books_{config.mysql},
          order_{.window = window_of(options, poll_, config, books_, clock_.wall()),
                 .applies = options.applies,
                 .before_first = options.before_first,
                 .operator_name = options.operator_name,
                 .reason = options.reason} {
        if (options.applies)
            outlet_ = std::make_unique<outlet::Outlet>(config.kafka, config.redis,
                                                       Program{"sluice-poller", "sluice_poller"}, log_,
                                                       metrics_, readiness_, clock_);
    }

    [[nodiscard]] Report run(StopSignal& signal) {
        return run_until(signal, [this](const std::stop_token& stop) {
            const ReconcileWays ways{account_, walk_metrics_, books_, outlet_.get(), clock_};
            return Reconciliation{poll_, order_, ways, say}.run(stop);
        });
    }

private:
    const PollSettings& poll_;
    SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    Log log_;
    Account account_;
    WalkMetrics walk_metrics_;
    Books books_;
    ReconcileOrder order_;
    std::unique_ptr<outlet::Outlet> outlet_;
};

}  // namespace

CLI::App& add_reconcile(CLI::App& program, ReconcileOptions& options) {
    CLI::App& command = *program.add_subcommand(
        "reconcile", "Compares the provider's list with the inbox: is anything missing?");
    command.fallthrough();  // --config
    for (const char* other : {"--check", "--once"}) command.excludes(program.get_option(other));
    command.add_option("--source", options.source, "A source with poll; with --file any")
        ->required()
        ->type_name("NAME");
    command
        .add_option("--from", options.from,
                    "Events that were created since: a time, a day (UTC), or how long ago (7d)")
        ->type_name("TIME");
    command.add_option("--to", options.to, "And earlier than this; as late as can be compared by default")
        ->type_name("TIME");
    command.add_flag("--apply", options.applies, "Publish what is missing; without it, only say so");
    command.add_flag("--before-first", options.before_first,
                     "Publish also what was created before a listed event was received here");
    command.add_flag("--delivery-failed", options.undelivered,
                     "Of those, only events of which the provider says that a webhook failed (Stripe)");
    command
        .add_option("--file", options.file,
                    "In place of a list: ids of events, one a line, of any provider; - is standard input")
        ->type_name("FILE");
    add_operator_and_reason(command, options);
    command.add_flag("--json", options.json, "The report as JSON");
    command.footer(epilogue);
    return command;
}

int run_reconcile(const std::string& file, const ReconcileOptions& options) {
    refuse_unless_fitting(options);
    refuse_unless_signed(options);
    config::Problems problems;
    Config config = read_config(file, problems, options.file.empty() ? Needs::polls : Needs::sources);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    StopSignal signal;  // before any thread, so that all inherit what it blocks
    try {
        const Report report = options.file.empty() ? Command{config, options}.run(signal)
                                                   : compare_file(config, options, signal);
        std::cout << (options.json ? to_json(report) : to_people(report)) << std::flush;
        if (!report.broken_off.empty()) std::cerr << "sluice-poller: " << report.broken_off << '\n';
        if (const auto events = not_judged(report); events > 0)
            std::cerr << "sluice-poller: " << events << " listed events could not be judged\n";
        return exit_status(report);
    } catch (const config::Refused&) {
        throw;
    } catch (const std::exception& error) {
        std::cerr << "sluice-poller: " << error.what() << '\n';
        return not_finished;
    }
}

}  // namespace sluice::poller
