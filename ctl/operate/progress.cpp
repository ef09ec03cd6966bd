#include "ctl/operate/progress.hpp"

#include <format>

namespace sluice::ctl {

std::string progress_text(const Progress& progress) {
    std::string text =
        std::format("sent {} of {}; carried out {}, refused {}, dead again {}", progress.sent, progress.total,
                    progress.answers.carried_out, progress.answers.refused, progress.answers.dead_again);
    if (progress.before > 0) text += std::format(", answered before {}", progress.before);
    if (progress.left_out > 0) text += std::format(", left out {}", progress.left_out);
    return text;
}

Json to_json(const Progress& progress) {
    return {{"total", progress.total},
            {"sent", progress.sent},
            {"answered_before", progress.before},
            {"left_out", progress.left_out},
            {"carried_out", progress.answers.carried_out},
            {"refused", progress.answers.refused},
            {"dead_again", progress.answers.dead_again}};
}

}  // namespace sluice::ctl
