#include "ctl/operate/send_and_wait.hpp"

#include <algorithm>
#include <utility>

#include "consumer/command/command_record.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds between_looks{1};
constexpr std::size_t asked_at_once = 512;
constexpr std::chrono::milliseconds following{200};
constexpr std::chrono::seconds patience_with_reports{35};  // longer than a record's own time

bool is_too_much(const Progress& progress, const SendLimits& limits) {
    return limits.stop_after > 0 && progress.answers.dead_again >= limits.stop_after;
}

}  // namespace

std::string_view name_of(Ending ending) noexcept {
    switch (ending) {
        case Ending::answered:
            return "answered";
        case Ending::unanswered:
            return "unanswered";
        case Ending::untried:
            return "untried";
        case Ending::failures:
            return "failures";
        case Ending::interrupted:
            break;
    }
    return "interrupted";
}

CommandRun::CommandRun(store::Connection& connection, const config::MysqlSettings& settings,
                       CommandSender& sender, StopSignal& signal, Console& console)
    : connection_{connection}, settings_{settings}, sender_{sender}, signal_{signal}, console_{console} {}

Ending CommandRun::carry(const store::ActionId& run, const SendLimits& limits, CommandPages& pages,
                         std::int64_t total) {
    progress_.total = total;
    look(run);
    if (is_too_much(progress_, limits)) return Ending::failures;
    Pace pace{limits.per_second, console_.clock.steady()};
    Ending ending = send_and_follow(run, limits, pages.next_page(), pages, pace);
    while (ending == Ending::answered) {
        auto more = pages.come_up();
        if (more.empty()) break;
        progress_.total += std::ssize(more);
        ending = send_and_follow(run, limits, std::move(more), pages, pace);
    }
    const store::DeadLetterFilter opened{.above_id = highest_entry_of(run).value_or(0), .behind_run = run};
    progress_.opened_behind =
        value_or_stop(store::count_dead_letters(connection_, opened), settings_, connection_);
    return ending;
}

Ending CommandRun::send_and_follow(const store::ActionId& run, const SendLimits& limits,
                                   std::vector<Asked> page, CommandPages& pages, Pace& pace) {
    std::optional<Ending> early;
    for (; !page.empty() && !early; page = pages.next_page())
        early = send_page(run, limits, unanswered(std::move(page)), pace);
    sender_.flush(patience_with_reports);
    progress_.sent = sender_.delivered();
    look(run);
    return early ? *early : follow(run, limits);
}

std::optional<Ending> CommandRun::send_page(const store::ActionId& run, const SendLimits& limits,
                                            const std::vector<Asked>& page, Pace& pace) {
    for (const auto& asked : page) {
        if (is_stopped_within(pace.next(console_.clock.steady()))) return Ending::interrupted;
        look_now_and_then(run);
        if (is_too_much(progress_, limits)) return Ending::failures;
        if (!send_one(asked)) ++progress_.left_out;
    }
    return std::nullopt;
}

/// What was answered under an earlier invocation of the run is not sent again: the answer would be the same.
std::vector<Asked> CommandRun::unanswered(std::vector<Asked> page) {
    std::vector<store::ActionId> ids;
    for (const auto& asked : page) ids.push_back(asked.command.id);
    const auto done = value_or_stop(store::answered(connection_, ids), settings_, connection_);
    const auto before =
        std::erase_if(page, [&](const auto& asked) { return std::ranges::contains(done, asked.command.id); });
    progress_.before += static_cast<std::int64_t>(before);
    return page;
}

bool CommandRun::send_one(const Asked& asked) {
    if (asked.objection) {
        console_.err << asked.name << " is left out: " << *asked.objection << "\n";
        return false;
    }
    if (asked.approved) {
        sender_.approve(command::record_key(asked.command), *asked.approved);
        waiting_.push_back(asked.command.id);
        return true;
    }
    const auto record = command::encode(asked.command);
    if (!record) {
        console_.err << asked.name << " is left out: " << command::name_of(record.error()) << "\n";
        return false;
    }
    sender_.send(command::record_key(asked.command), *record);
    waiting_.push_back(asked.command.id);
    return true;
}

Ending CommandRun::follow(const store::ActionId& run, const SendLimits& limits) {
    auto patience_ends = console_.clock.steady() + limits.wait;
    auto left = open_ends(run);
    while (!left.none()) {
        if (is_stopped_within(following)) return Ending::interrupted;
        const auto before = std::exchange(left, open_ends(run));
        look_now_and_then(run);
        const auto now = console_.clock.steady();
        // Behind them, new events may come as fast as others go.
        if (left.own == before.own) left.behind = std::min(left.behind, before.behind);
        if (left.own != before.own || left.behind != before.behind) patience_ends = now + limits.wait;
        if (now >= patience_ends) break;
    }
    look(run);
    progress_.refusals = value_or_stop(store::refusals_of_run(connection_, run), settings_, connection_);
    if (!waiting_.empty()) return Ending::unanswered;
    return left.own == 0 ? Ending::answered : Ending::untried;
}

CommandRun::OpenEnds CommandRun::open_ends(const store::ActionId& run) {
    look_for_answers();
    if (!waiting_.empty()) return {.own = std::ssize(waiting_)};
    progress_.untried = value_or_stop(store::count_untried(connection_, run), settings_, connection_);
    if (progress_.untried > 0) return {.own = progress_.untried};
    progress_.behind = value_or_stop(store::moving_behind(connection_, run), settings_, connection_);
    return {.behind = progress_.behind.events};
}

/// Answers come roughly in the order of sending, so the oldest that still wait are checked.
void CommandRun::look_for_answers() {
    while (!waiting_.empty()) {
        const auto end = waiting_.begin() + std::min<std::ptrdiff_t>(std::ssize(waiting_), asked_at_once);
        const std::vector<store::ActionId> asked(waiting_.begin(), end);
        const auto done = value_or_stop(store::answered(connection_, asked), settings_, connection_);
        const auto still = std::remove_if(waiting_.begin(), end,
                                          [&](const auto& id) { return std::ranges::contains(done, id); });
        waiting_.erase(still, end);
        if (done.size() < asked.size()) return;
    }
}

bool CommandRun::is_stopped_within(std::chrono::nanoseconds wait) {
    return signal_.wait(std::chrono::floor<std::chrono::milliseconds>(wait)) == StopSignal::Event::stop;
}

void CommandRun::look_now_and_then(const store::ActionId& run) {
    if (console_.clock.steady() >= next_look_) look(run);
}

void CommandRun::look(const store::ActionId& run) {
    progress_.sent = sender_.delivered();
    progress_.answers = value_or_stop(store::progress_of_run(connection_, run), settings_, connection_);
    next_look_ = console_.clock.steady() + between_looks;
    show();
}

void CommandRun::show() {
    if (console_.err_is_terminal) console_.err << "\r" << progress_text(progress_) << "\x1b[K" << std::flush;
}

}  // namespace sluice::ctl
