#include "consumer/lane/run/rulings.hpp"

#include <algorithm>

#include "consumer/apply/event.hpp"
#include "consumer/lane/rules/holds.hpp"
#include "consumer/lane/rules/retry_delays.hpp"

namespace sluice::consumer {
namespace {

constexpr int most_lost_locks = 10;

lane::Policy policy_of(const std::string& effect, const effects::EffectSet& effects) {
    const effects::Effect* found = effects.find(effect);
    return found == nullptr ? lane::Policy{} : found->policy();
}

lane::Ruling waits_for_its_source(const lane::Row& before, WallTime now) {
    lane::Row row = before;
    row.status = lane::Status::retry;
    row.due_at = now + lane::retry_delay(1);
    return {lane::Ruling::Kind::waits, row, source_unknown_class};
}

std::optional<Milliseconds> uncounted_wait(const Setback& setback) {
    if (is_blocked(setback)) return lane::retry_delay(1);
    if (setback.is_held || lacks_something(setback)) return lane::paced(lane::between_looks_of_held);
    return std::nullopt;
}

}  // namespace

lane::Ruling ruling_on(const Setback& setback, const lane::Row& before, const effects::EffectSet& effects,
                       WallTime now) {
    if (setback.own_class == source_unknown_class) return waits_for_its_source(before, now);
    const lane::Policy policy = policy_of(setback.effect, effects);
    const lane::Attempt attempt{
        .outcome = setback.outcome, .error = setback.database, .put_off = uncounted_wait(setback)};
    lane::Ruling ruling = lane::judge(attempt, before, policy, now);
    if (!setback.own_class.empty()) ruling.error_class = setback.own_class;
    ruling.is_case = !setback.case_class.empty() && ruling.kind == lane::Ruling::Kind::dead;
    if (!ruling.is_case) return ruling;
    ruling.error_class = setback.case_class;
    ruling.row.may_be_superseded = false;  // a person has to see it
    ruling.row.lets_pass = policy.pass_after_case;
    return ruling;
}

Setback as_counted(Setback setback, int times) {
    const bool is_of_its_own = setback.database == store::ErrorClass::lost_lock && !setback.effect.empty();
    if (!is_of_its_own || is_blocked(setback) || times < most_lost_locks) return setback;
    setback.database.reset();
    setback.outcome = effects::Outcome::retry;
    return setback;
}

Disposition disposition_of(const lane::Ruling& ruling) noexcept {
    if (!ruling.is_counted) return Disposition::contended;
    if (ruling.is_case) return Disposition::rule_case;
    if (ruling.kind == lane::Ruling::Kind::waits && ruling.error_class == source_unknown_class)
        return Disposition::lacking;
    switch (ruling.row.status) {
        case lane::Status::deferred:
            return Disposition::deferred;
        case lane::Status::dead:
            return Disposition::dead;
        default:
            return Disposition::retried;
    }
}

lane::Ruling death(const lane::Row& before, std::string_view error_class, WallTime now) {
    lane::Row row = before;
    row.status = lane::Status::dead;
    if (!row.first_failed_at) row.first_failed_at = now;
    return {lane::Ruling::Kind::dead, row, error_class};
}

std::string subject_of(const Setback& setback, const lane::Ruling& ruling) {
    return setback.effect.empty() ? std::string{ruling.error_class} : setback.effect;
}

lane::Ruling within_budget(const lane::Ruling& ruling, const lane::Row& before, const Charge& charge,
                           DeadLetterBudget& budget, WallTime now) {
    if (ruling.kind != lane::Ruling::Kind::dead || ruling.is_case ||
        budget.may_dead_letter(charge.subject, charge.reason))
        return ruling;
    lane::Row row = before;
    row.status = lane::Status::retry;
    row.due_at = now + lane::paced(lane::held_for);
    if (!row.first_failed_at) row.first_failed_at = now;
    return {lane::Ruling::Kind::waits, row, ruling.error_class};
}

store::DeadLetter dead_letter_of(const Death& death, const store::LanePlace& place) {
    const record::EventHeaders& event = death.item.event;
    store::DeadLetter dead_letter{.kind = store::DeadLetterKind::undecodable,
                                  .place = place,
                                  .object_key = death.object_key,
                                  .source = event.source,
                                  .type = event.type,
                                  .event_id = event.event_id,
                                  .inbox = std::nullopt,
                                  .content_digest = std::nullopt,
                                  .error_class = death.ruling.error_class,
                                  .error_text = death.reason,
                                  .attempts = std::max(death.ruling.row.attempts, 1),
                                  .first_failed_at = death.ruling.row.first_failed_at.value_or(WallTime{}),
                                  .topic = death.topic,
                                  .partition = death.item.record.at.partition,
                                  .offset = death.item.record.at.offset,
                                  .record = std::nullopt};
    if (!death.item.decoded) return dead_letter;
    dead_letter.kind = death.ruling.is_case ? store::DeadLetterKind::rule_case : store::DeadLetterKind::dead;
    dead_letter.inbox = inbox_key(death.item);
    dead_letter.content_digest = event.content_digest;
    if (death.item.payment) {
        dead_letter.reference = death.item.payment->reference;
        dead_letter.transaction = death.item.payment->transaction;
    }
    return dead_letter;
}

}  // namespace sluice::consumer
