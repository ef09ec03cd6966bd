#include "ctl/recipes/test/trial_report.hpp"

#include <algorithm>

#include "common/joined.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/recipes/test/untested.hpp"

namespace sluice::ctl {
namespace {

std::string word_or_none(const std::string& text) {
    return text.empty() ? "none" : text;
}

std::string sentence_of(const Difference& difference) {
    return difference.what + ": expected " + word_or_none(difference.expected) + ", is " +
           word_or_none(difference.actual);
}

std::string sentences_of(const JudgedSample& judged) {
    return joined(judged.differences, "; ", sentence_of);
}

std::string expectation_of(const Sample& sample) {
    if (sample.expected.accepted) return "accepted";
    return sample.expected.check.empty() ? "refused" : "refused, " + sample.expected.check;
}

/// Where to look, and what the verifier says of it.
std::string reason_of(const Sample& sample, const JudgedSample& judged) {
    std::string text = sample.place.text() + ": " + sample.name + ": " + judged.verdict.reason + "\n";
    if (!judged.hint.empty()) text += "  " + judged.hint + "\n";
    return text;
}

Json json_of_sample(const Sample& sample, const JudgedSample& judged) {
    Json differences = Json::array();
    for (const Difference& one : judged.differences)
        differences.push_back({{"what", one.what}, {"expected", one.expected}, {"actual", one.actual}});
    Json json{{"name", sample.name},
              {"line", sample.place.line},
              {"ok", judged.differences.empty()},
              {"accepted", judged.verdict.accepted},
              {"reason", judged.verdict.reason},
              {"differences", std::move(differences)}};
    if (!judged.hint.empty()) json["hint"] = judged.hint;
    return json;
}

std::string total_of(const TrialReport& report) {
    const std::size_t all = report.judged.size();
    const std::string right = std::to_string(all - report.wrong()) + " of " + std::to_string(all);
    return right + (all == 1 ? " sample" : " samples") + " as expected of recipe " +
           report.file.source->recipe + "\n";
}

}  // namespace

std::size_t TrialReport::wrong() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(judged, [](const JudgedSample& one) { return !one.differences.empty(); }));
}

TrialReport try_samples(SampleFile file) {
    TrialReport report;
    for (const Sample& sample : file.samples) report.judged.push_back(compare_sample(*file.source, sample));
    report.untested = untested(*file.source, file.samples, report.judged);
    report.file = std::move(file);
    return report;
}

Json to_json(const TrialReport& report) {
    Json samples = Json::array();
    for (std::size_t i = 0; i < report.judged.size(); ++i)
        samples.push_back(json_of_sample(report.file.samples[i], report.judged[i]));
    return {{"recipe", report.file.source->recipe},
            {"samples", std::move(samples)},
            {"total", report.judged.size()},
            {"wrong", report.wrong()},
            {"untested", report.untested}};
}

std::string to_people(const TrialReport& report) {
    Table table{{"SAMPLE", "EXPECTED", "RESULT", "DIFFERENCE"}};
    std::string reasons;
    for (std::size_t i = 0; i < report.judged.size(); ++i) {
        const Sample& sample = report.file.samples[i];
        const JudgedSample& judged = report.judged[i];
        const bool is_right = judged.differences.empty();
        table.row({sample.name, expectation_of(sample), is_right ? "ok" : "WRONG", sentences_of(judged)});
        if (!is_right) reasons += reason_of(sample, judged);
    }
    std::string text = table.text() + "\n" + (reasons.empty() ? "" : reasons + "\n") + total_of(report);
    if (report.untested.empty()) return text;
    text += "\nuntested:\n";
    for (const std::string& gap : report.untested) text += "  " + gap + "\n";
    return text;
}

}  // namespace sluice::ctl
