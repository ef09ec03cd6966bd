#include "ctl/operate/progress.hpp"

#include <format>

#include "ctl/entry/dead_letter_text.hpp"

namespace sluice::ctl {

std::string progress_text(const Progress& progress) {
    std::string text =
        std::format("sent {} of {}; carried out {}, refused {}, dead again {}", progress.sent, progress.total,
                    progress.answers.carried_out, progress.answers.refused, progress.answers.dead_again);
    if (progress.untried > 0) text += std::format(", not tried yet {}", progress.untried);
    if (progress.behind.events > 0)
        text += std::format(", still going on behind them {}", progress.behind.events);
    if (progress.before > 0) text += std::format(", answered before {}", progress.before);
    if (progress.left_out > 0) text += std::format(", left out {}", progress.left_out);
    return text;
}

std::string refusals_text(const Progress& progress, std::string_view help) {
    std::string text;
    for (const auto& [why, count] : progress.refusals)
        text += std::format("{}{} {}", text.empty() ? "refused: " : ", ", count, why);
    return text.empty() ? text : std::format("{}. `{}` says what each means\n", text, help);
}

std::string behind_text(const Progress& progress) {
    if (progress.opened_behind.empty()) return {};
    const auto total = total_of(progress.opened_behind);
    std::string text =
        std::format("behind them, {} more {} opened:", total, total == 1 ? "entry" : "entries");
    for (const auto& opened : progress.opened_behind)
        text += std::format("{} {} {} {} of {}", &opened == &progress.opened_behind.front() ? "" : ",",
                            opened.count, store::name_of(opened.kind), opened.error_class, opened.source);
    return text + "\n";
}

Json to_json(const Progress& progress) {
    Json refusals = Json::object();
    for (const auto& [why, count] : progress.refusals) refusals[why] = count;
    Json behind = Json::array();
    for (const auto& opened : progress.opened_behind) behind.push_back(to_json(opened));
    return {{"total", progress.total},
            {"sent", progress.sent},
            {"answered_before", progress.before},
            {"left_out", progress.left_out},
            {"carried_out", progress.answers.carried_out},
            {"untried", progress.untried},
            {"refused", progress.answers.refused},
            {"refusals", std::move(refusals)},
            {"dead_again", progress.answers.dead_again},
            {"going_on_behind", progress.behind.events},
            {"opened_behind", std::move(behind)}};
}

}  // namespace sluice::ctl
