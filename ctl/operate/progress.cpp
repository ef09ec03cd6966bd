#include "ctl/operate/progress.hpp"

#include <format>

namespace sluice::ctl {

std::string progress_text(const Progress& progress) {
    std::string text =
        std::format("sent {} of {}; carried out {}, refused {}, dead again {}", progress.sent, progress.total,
                    progress.answers.carried_out, progress.answers.refused, progress.answers.dead_again);
    if (progress.untried > 0) text += std::format(", not tried yet {}", progress.untried);
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

Json to_json(const Progress& progress) {
    Json refusals = Json::object();
    for (const auto& [why, count] : progress.refusals) refusals[why] = count;
    return {{"total", progress.total},
            {"sent", progress.sent},
            {"answered_before", progress.before},
            {"left_out", progress.left_out},
            {"carried_out", progress.answers.carried_out},
            {"untried", progress.untried},
            {"refused", progress.answers.refused},
            {"refusals", std::move(refusals)},
            {"dead_again", progress.answers.dead_again}};
}

}  // namespace sluice::ctl
