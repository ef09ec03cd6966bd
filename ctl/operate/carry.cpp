#include "ctl/operate/carry.hpp"

#include <algorithm>

#include "consumer/command/command_record.hpp"
#include "ctl/database.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds between_looks{1};
constexpr std::size_t asked_at_once = 512;
constexpr std::chrono::milliseconds following{200};
constexpr std::chrono::seconds patience_with_reports{35};  // longer than a record's own time

bool is_too_much(const Progress& progress, const CarryLimits& limits) {
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

Carrier::Carrier(store::Connection& connection, const config::MysqlSettings& settings, CommandSender& sender,
                 StopSignal& signal, Console& console)
    : connection_{connection}, settings_{settings}, sender_{sender}, signal_{signal}, console_{console} {}

Ending Carrier::carry(const Order& order, const CarryLimits& limits, Targets& targets, std::int64_t total) {
    progress_.total = total;
    look(order);
    if (is_too_much(progress_, limits)) return Ending::failures;
    Pace pace{limits.per_second, console_.clock.steady()};
    std::optional<Ending> early;
    for (auto page = targets.next_page(); !page.empty() && !early; page = targets.next_page()) {
        early = send_page(order, limits, unanswered(order, std::move(page)), pace);
    }
    sender_.flush(patience_with_reports);
    progress_.sent = sender_.delivered();
    look(order);
    return early ? *early : follow(order, limits);
}

std::optional<Ending> Carrier::send_page(const Order& order, const CarryLimits& limits,
                                         const Letters& letters, Pace& pace) {
    for (const auto& letter : letters) {
        if (is_stopped_within(pace.next(console_.clock.steady()))) return Ending::interrupted;
        look_now_and_then(order);
        if (is_too_much(progress_, limits)) return Ending::failures;
        if (!send_one(order, letter)) ++progress_.left_out;
    }
    return std::nullopt;
}

/// What was answered under an earlier invocation of the run is not sent again: it would be answered as
/// before.
Carrier::Letters Carrier::unanswered(const Order& order, Letters letters) {
    std::vector<store::ActionId> ids;
    for (const auto& letter : letters) ids.push_back(command::id_in_run(order.run, letter.id));
    const auto done = value_or_stop(store::answered(connection_, ids), settings_, connection_);
    const auto before = std::erase_if(letters, [&](const auto& letter) {
        return std::ranges::contains(done, command::id_in_run(order.run, letter.id));
    });
    progress_.before += static_cast<std::int64_t>(before);
    return letters;
}

bool Carrier::send_one(const Order& order, const store::LetterRow& letter) {
    if (const auto why = objection(order.action, letter)) {
        console_.err << "entry " << letter.id << " is left out: " << *why << "\n";
        return false;
    }
    const auto command = command_for(order, letter, console_.clock.wall());
    const auto record = command::encode(command);
    if (!record) {
        console_.err << "entry " << letter.id << " is left out: " << command::name_of(record.error()) << "\n";
        return false;
    }
    sender_.send(command::record_key(command), *record);
    waiting_.push_back(command.id);
    return true;
}

Ending Carrier::follow(const Order& order, const CarryLimits& limits) {
    auto patience_ends = console_.clock.steady() + limits.wait;
    auto left = open_ends(order);
    while (left > 0) {
        const auto before = left;
        if (is_stopped_within(following)) return Ending::interrupted;
        left = open_ends(order);
        look_now_and_then(order);
        const auto now = console_.clock.steady();
        if (left != before) patience_ends = now + limits.wait;
        if (now >= patience_ends) break;
    }
    look(order);
    progress_.refusals =
        value_or_stop(store::refusals_of_run(connection_, order.run), settings_, connection_);
    if (!waiting_.empty()) return Ending::unanswered;
    return left > 0 ? Ending::untried : Ending::answered;
}

std::int64_t Carrier::open_ends(const Order& order) {
    look_for_answers();
    if (!waiting_.empty()) return std::ssize(waiting_);
    progress_.untried = value_or_stop(store::count_untried(connection_, order.run), settings_, connection_);
    return progress_.untried;
}

/// Answers come about in the order of what was sent, so the first ones that still wait are looked at.
void Carrier::look_for_answers() {
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

bool Carrier::is_stopped_within(std::chrono::nanoseconds wait) {
    return signal_.wait(std::chrono::floor<std::chrono::milliseconds>(wait)) == StopSignal::Event::stop;
}

void Carrier::look_now_and_then(const Order& order) {
    if (console_.clock.steady() >= next_look_) look(order);
}

void Carrier::look(const Order& order) {
    progress_.sent = sender_.delivered();
    progress_.answers = value_or_stop(store::progress_of_run(connection_, order.run), settings_, connection_);
    next_look_ = console_.clock.steady() + between_looks;
    show();
}

void Carrier::show() {
    if (console_.err_is_terminal) console_.err << "\r" << progress_text(progress_) << "\x1b[K" << std::flush;
}

}  // namespace sluice::ctl
