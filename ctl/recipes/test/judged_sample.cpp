#include "ctl/recipes/test/judged_sample.hpp"

#include "common/time_text.hpp"

namespace sluice::ctl {
namespace {

std::string accepted_or_refused(bool accepted) {
    return accepted ? "accepted" : "refused";
}

std::string normal_time(const std::string& text) {
    const auto instant = from_rfc3339(text);
    return instant ? to_rfc3339(*instant) : text;
}

class Comparison {
public:
    void compare(const std::string& what, const std::string& expected, const std::string& actual) {
        if (expected != actual) differences_.push_back({what, expected, actual});
    }
    void compare(const std::string& what, const std::optional<std::string>& expected,
                 const std::string& actual) {
        if (expected) compare(what, *expected, actual);
    }
    [[nodiscard]] std::vector<Difference> take() { return std::move(differences_); }

private:
    std::vector<Difference> differences_;
};

void compare_event(const std::string& what, const ExpectedEvent& expected, const Verdict::Event& actual,
                   Comparison& comparison) {
    comparison.compare(what + ".id", expected.id, actual.id);
    comparison.compare(what + ".type", expected.type, actual.type);
    comparison.compare(what + ".object", expected.object, actual.object);
    if (expected.time) comparison.compare(what + ".time", normal_time(*expected.time), actual.time);
}

void compare_events(const std::vector<ExpectedEvent>& expected, const std::vector<Verdict::Event>& actual,
                    Comparison& comparison) {
    const auto count = [](std::size_t events) { return std::to_string(events) + " read"; };
    if (expected.size() != actual.size())
        return comparison.compare("events", count(expected.size()), count(actual.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
        compare_event("events[" + std::to_string(i) + "]", expected[i], actual[i], comparison);
}

std::vector<Difference> differences_of(const Expectation& expected, const Verdict& verdict) {
    Comparison comparison;
    comparison.compare("verdict", accepted_or_refused(expected.accepted),
                       accepted_or_refused(verdict.accepted));
    if (expected.accepted != verdict.accepted) return comparison.take();
    if (!expected.check.empty()) comparison.compare("check", expected.check, verdict.check);
    comparison.compare("key", expected.key, verdict.key_id);
    if (expected.events) compare_events(*expected.events, verdict.events, comparison);
    return comparison.take();
}

/// YAML's block texts end with a line end that was not sent: the slip that costs most time.
std::string hint_of_body(const webhook::Source& source, const Sample& sample, const Verdict& verdict) {
    if (!sample.expected.accepted || verdict.accepted || !sample.request.body.ends_with('\n')) return {};
    SampleRequest shorter = sample.request;
    shorter.body.pop_back();
    if (!judge_sample(source, shorter, shorter.now).accepted) return {};
    return "without the newline after its body it is accepted: write the body in quotes, or as a |- block";
}

}  // namespace

Verdict judge_sample(const webhook::Source& source, const SampleRequest& request, WallTime now) {
    if (!request.raw.empty()) return judge(source, request.raw, now);
    std::vector<webhook::HeaderField> fields;
    for (const auto& [name, value] : request.headers) fields.push_back({name, value});
    return judge_admitted(source, {request.method, request.target, fields, request.body}, now);
}

JudgedSample compare_sample(const webhook::Source& source, const Sample& sample) {
    JudgedSample judged;
    judged.verdict = judge_sample(source, sample.request, sample.request.now);
    judged.differences = differences_of(sample.expected, judged.verdict);
    judged.hint = hint_of_body(source, sample, judged.verdict);
    return judged;
}

}  // namespace sluice::ctl
