#include <algorithm>

#include "consumer/lane/run/rulings.hpp"
#include "ctl/effects/trial/trial.hpp"

// What becomes of an event after its trial, by the consumer's own rules. Pure.
namespace sluice::ctl {
namespace {

TrialEnd::Kind kind_of(const lane::Ruling& ruling) {
    switch (ruling.kind) {
        case lane::Ruling::Kind::contention:
            return TrialEnd::Kind::lost_lock;
        case lane::Ruling::Kind::trouble:
            return TrialEnd::Kind::trouble;
        case lane::Ruling::Kind::dead:
            return ruling.is_case ? TrialEnd::Kind::rule_case : TrialEnd::Kind::dead;
        default:
            break;
    }
    if (!ruling.is_counted || ruling.error_class == consumer::source_unknown_class)
        return TrialEnd::Kind::held;
    return ruling.row.status == lane::Status::deferred ? TrialEnd::Kind::deferred : TrialEnd::Kind::retry;
}

bool changed_something(const TrialEffect& effect) {
    return effect.verdict && effect.verdict->outcome == effects::Outcome::done;
}

std::string because(const TrialEnd& end) {
    return end.reason.empty() ? "." : ": " + end.reason;
}

}  // namespace

std::string_view name_of(TrialEnd::Kind kind) noexcept {
    constexpr std::string_view names[] = {"applied", "ignored", "deferred",  "retry",  "held",
                                          "case",    "dead",    "lost_lock", "trouble"};
    return names[static_cast<std::size_t>(kind)];
}

TrialEnd end_of(const consumer::Setback* setback, std::span<const TrialEffect> run,
                const effects::EffectSet& effects, WallTime now) {
    if (setback == nullptr)
        return {std::ranges::any_of(run, changed_something) ? TrialEnd::Kind::applied
                                                            : TrialEnd::Kind::ignored};
    const lane::Ruling ruling = consumer::ruling_on(*setback, {}, effects, now);
    return {
        .kind = kind_of(ruling), .error_class = std::string{ruling.error_class}, .reason = setback->reason};
}

std::string sentence_of(const TrialEnd& end) {
    const std::string of_class = " of class " + end.error_class;
    using enum TrialEnd::Kind;
    switch (end.kind) {
        case applied:
            return "It would be applied.";
        case ignored:
            return "It would change nothing: no effect matches it, or each that does ignores it.";
        case deferred:
            return "It would wait (deferred), which is no failure" + because(end);
        case retry:
            return "It would fail, wait and be tried again (retry)" + because(end);
        case held:
            return "It would wait until that is mended, and no attempt counts" + because(end);
        case rule_case:
            return "It would be an entry of kind case" + of_class + because(end);
        case dead:
            return "It would be an entry of kind dead" + of_class + because(end);
        case lost_lock:
            return "It would be tried again soon: another session has what it needs" + because(end);
        case trouble:
            break;
    }
    return "That cannot be told: the database is in trouble" + because(end);
}

}  // namespace sluice::ctl
