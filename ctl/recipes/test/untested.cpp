#include "ctl/recipes/test/untested.hpp"

#include <algorithm>

#include "common/webhook/recipe/program.hpp"

namespace sluice::ctl {
namespace {

using webhook::Program;

class Coverage {
public:
    Coverage(const webhook::Source& source, std::span<const Sample> samples,
             std::span<const JudgedSample> judged)
        : source_{source}, program_{*source.program}, samples_{samples}, judged_{judged} {}

    [[nodiscard]] std::vector<std::string> gaps() {
        look_at_verdicts();
        look_at_body();
        look_at_signature();
        look_at_window();
        look_at_keys();
        look_at_events();
        return std::move(gaps_);
    }

private:
    template <class Condition>
    [[nodiscard]] bool any(Condition condition) const {
        return std::ranges::any_of(judged_, [&](const JudgedSample& one) { return condition(one.verdict); });
    }
    [[nodiscard]] bool any_accepted() const {
        return any([](const Verdict& verdict) { return verdict.accepted; });
    }
    [[nodiscard]] bool any_refused_by(std::string_view check) const {
        return any([&](const Verdict& verdict) { return verdict.check == check; });
    }

    void say_unless(bool is_there, std::string sentence) {
        if (!is_there) gaps_.push_back(std::move(sentence));
    }

    void look_at_verdicts() {
        say_unless(any_accepted(), "no sample is accepted");
        say_unless(any([](const Verdict& verdict) { return !verdict.accepted; }),
                   "no sample is refused: a recipe that accepts everything would pass");
    }

    void look_at_body() {
        if (source_.trust == webhook::Trust::none || !any_accepted()) return;
        say_unless(has_changed_body(),
                   "no refused sample is an accepted one with a changed body, so nothing shows that the "
                   "signature covers the body");
    }

    [[nodiscard]] bool has_changed_body() const {
        for (std::size_t a = 0; a < samples_.size(); ++a) {
            for (std::size_t b = 0; b < samples_.size(); ++b) {
                if (judged_[a].verdict.accepted && !judged_[b].verdict.accepted && differ_in_body(a, b))
                    return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool differ_in_body(std::size_t a, std::size_t b) const {
        const SampleRequest& one = samples_[a].request;
        const SampleRequest& other = samples_[b].request;
        if (!one.raw.empty() || !other.raw.empty())
            return judged_[b].verdict.check == "signature_mismatch";  // a file's head is left alone
        return one.headers == other.headers && one.now == other.now && one.body != other.body;
    }

    void look_at_signature() {
        say_unless(any_refused_by("missing_header") || any_refused_by("missing_field"),
                   "no sample lacks its signature (" + std::string{program_.name_of_slot(1)} + ")");
    }

    void look_at_window() {
        if (!program_.window || !any_accepted()) return;
        const std::string past = std::to_string(program_.window->past.count()) + " s after its timestamp";
        const std::string future = std::to_string(program_.window->future.count()) + " s before it";
        say_unless(is_at_end(std::chrono::seconds{1}, "too_old"),
                   "no sample is exactly as old as is allowed, " + past);
        say_unless(any_refused_by("too_old"), "no sample is too old");
        say_unless(is_at_end(std::chrono::seconds{-1}, "too_new"),
                   "no sample is exactly as far ahead as is allowed, " + future);
        say_unless(any_refused_by("too_new"), "no sample is too far ahead");
    }

    /// Whether some accepted sample would not be a second further.
    [[nodiscard]] bool is_at_end(std::chrono::seconds step, std::string_view check) const {
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            const SampleRequest& request = samples_[i].request;
            if (judged_[i].verdict.accepted &&
                judge_sample(source_, request, request.now + step).check == check)
                return true;
        }
        return false;
    }

    void look_at_keys() {
        for (const webhook::Key& key : program_.keys) {
            say_unless(any([&](const Verdict& verdict) { return verdict.key_id == key.id; }),
                       "no accepted sample is signed with key " + key.id);
        }
    }

    void look_at_events() {
        if (!any_accepted()) return;
        say_unless(std::ranges::any_of(
                       samples_, [](const Sample& sample) { return sample.expected.events.has_value(); }),
                   "no sample says which events are read: events: [{id, type, object, time}]");
    }

    const webhook::Source& source_;
    const Program& program_;
    std::span<const Sample> samples_;
    std::span<const JudgedSample> judged_;
    std::vector<std::string> gaps_;
};

}  // namespace

std::vector<std::string> untested(const webhook::Source& source, std::span<const Sample> samples,
                                  std::span<const JudgedSample> judged) {
    return Coverage{source, samples, judged}.gaps();
}

}  // namespace sluice::ctl
