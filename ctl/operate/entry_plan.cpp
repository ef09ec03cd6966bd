#include "ctl/operate/entry_plan.hpp"

#include <algorithm>
#include <format>

#include "consumer/store/erasure/erasure.hpp"
#include "ctl/entry/dead_letter_text.hpp"

namespace sluice::ctl {

command::Command command_for(const OperatorRequest& request, const store::DeadLetterRow& dead_letter,
                             WallTime now) {
    command::Command command = signed_command(request, now);
    command.id = command::id_in_run(request.run, dead_letter.id);
    command.object_key = dead_letter.object_key;
    // The inbox row that another kind of entry names is not its own.
    if (store::is_of_an_event(dead_letter.kind)) command.event = dead_letter.inbox;
    command.dead_letter = dead_letter.id;
    return command;
}

std::optional<std::string> objection(store::ActionKind action, const store::DeadLetterRow& dead_letter) {
    const bool is_erased = dead_letter.error_text == store::erased_word;
    if (!dead_letter.is_open() && is_erased)
        return std::format("it was erased: sluicectl dlq show {} says when and by whom", dead_letter.id);
    if (!dead_letter.is_open()) return "it is closed as " + course_text(dead_letter);
    if (action == store::ActionKind::close && dead_letter.place)
        return "it holds a lane: retry, skip or edit it";
    const bool is_message = dead_letter.kind == store::DeadLetterKind::message;
    if (is_message && (action == store::ActionKind::close || action == store::ActionKind::edit))
        return "it is a message: retry or skip it";
    if (action == store::ActionKind::skip && !dead_letter.place && !is_message)
        return "it holds no lane: close it";
    return std::nullopt;
}

namespace {

std::string behind_words(const EntryPlan& plan) {
    if (plan.waiting_behind == 0) return {};
    const std::string events = std::format("\n{} {} behind them", plan.waiting_behind,
                                           plan.waiting_behind == 1 ? "event stands" : "events stand");
    if (!plan.with_behind)
        return events + ". They run next; what fails again is a new entry, unless --with-behind is given.\n";
    return std::format("{}. They run next; of what becomes an entry of these kinds and classes: {} too.\n",
                       events, store::name_of(plan.action));
}

}  // namespace

std::string to_people(const EntryPlan& plan, WallTime now) {
    const auto total = total_of(plan.counts);
    if (total == 0) return "No open entries.\n";
    const auto shown = static_cast<std::int64_t>(plan.sample.size());
    const std::string which = shown < total ? std::format("the first {} of them", shown) : "which are";
    return std::format("{} {} {}:\n\n", store::name_of(plan.action), total,
                       total == 1 ? "entry" : "entries") +
           counts_table(plan.counts, now) + "\n" + which + ":\n\n" + dead_letters_table(plan.sample, now) +
           behind_words(plan);
}

Json to_json(const EntryPlan& plan) {
    Json counts = Json::array();
    for (const auto& count : plan.counts) counts.push_back(to_json(count));
    Json sample = Json::array();
    for (const auto& dead_letter : plan.sample) sample.push_back(to_json(dead_letter));
    return {{"action", std::string{store::name_of(plan.action)}},
            {"run", plan.run},
            {"total", total_of(plan.counts)},
            {"counts", std::move(counts)},
            {"sample", std::move(sample)},
            {"waiting_behind", plan.waiting_behind}};
}

std::vector<store::DeadLetterCount> counts_of(const std::vector<store::DeadLetterRow>& dead_letters) {
    std::vector<store::DeadLetterCount> counts;
    for (const auto& dead_letter : dead_letters) {
        const auto found = std::ranges::find_if(counts, [&](const auto& count) {
            return count.error_class == dead_letter.error_class && count.source == dead_letter.source &&
                   count.kind == dead_letter.kind;
        });
        if (found == counts.end()) {
            counts.push_back(
                {dead_letter.error_class, dead_letter.source, dead_letter.kind, 1, dead_letter.opened_at});
        } else {
            ++found->count;
            found->oldest = std::min(found->oldest, dead_letter.opened_at);
        }
    }
    std::ranges::stable_sort(counts, std::ranges::greater{}, &store::DeadLetterCount::count);
    return counts;
}

}  // namespace sluice::ctl
