#include "ctl/operate/plan.hpp"

#include <algorithm>
#include <format>

#include "consumer/store/erasure/erasure.hpp"
#include "ctl/entry/letter_text.hpp"

namespace sluice::ctl {

command::Command command_for(const Order& order, const store::LetterRow& letter, WallTime now) {
    command::Command command = signed_command(order, now);
    command.id = command::id_in_run(order.run, letter.id);
    command.object_key = letter.object_key;
    // The inbox row that another kind of entry names is not its own.
    if (letter.kind == store::LetterKind::dead) command.event = letter.inbox;
    command.dead_letter = letter.id;
    return command;
}

std::optional<std::string> objection(store::ActionKind action, const store::LetterRow& letter) {
    const bool is_erased = letter.error_text == store::erased_word;
    if (!letter.is_open() && is_erased)
        return std::format("it is erased: sluicectl dlq show {} says when and by whom", letter.id);
    if (!letter.is_open()) return "it is closed as " + course_text(letter);
    if (action == store::ActionKind::close && letter.place) return "it holds a lane: retry, skip or edit it";
    if (action == store::ActionKind::skip && !letter.place) return "it holds nothing up: close it";
    return std::nullopt;
}

std::string to_people(const OrderPlan& plan, WallTime now) {
    const auto total = total_of(plan.counts);
    if (total == 0) return "No open entry.\n";
    const auto shown = static_cast<std::int64_t>(plan.sample.size());
    const std::string which = shown < total ? std::format("the first {} of them", shown) : "which are";
    return std::format("{} {} {}:\n\n", store::name_of(plan.action), total,
                       total == 1 ? "entry" : "entries") +
           counts_table(plan.counts, now) + "\n" + which + ":\n\n" + letters_table(plan.sample, now);
}

Json to_json(const OrderPlan& plan) {
    Json counts = Json::array();
    for (const auto& count : plan.counts) counts.push_back(to_json(count));
    Json sample = Json::array();
    for (const auto& letter : plan.sample) sample.push_back(to_json(letter));
    return {{"action", std::string{store::name_of(plan.action)}},
            {"run", plan.run},
            {"total", total_of(plan.counts)},
            {"counts", std::move(counts)},
            {"sample", std::move(sample)}};
}

std::vector<store::LetterCount> counts_of(const std::vector<store::LetterRow>& letters) {
    std::vector<store::LetterCount> counts;
    for (const auto& letter : letters) {
        const auto found = std::ranges::find_if(counts, [&](const auto& count) {
            return count.error_class == letter.error_class && count.source == letter.source &&
                   count.kind == letter.kind;
        });
        if (found == counts.end()) {
            counts.push_back({letter.error_class, letter.source, letter.kind, 1, letter.opened_at});
        } else {
            ++found->count;
            found->oldest = std::min(found->oldest, letter.opened_at);
        }
    }
    std::ranges::stable_sort(counts, std::ranges::greater{}, &store::LetterCount::count);
    return counts;
}

}  // namespace sluice::ctl
