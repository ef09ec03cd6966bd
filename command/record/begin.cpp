#include "command/record/begin.hpp"

#include <utility>

#include "command/record/rules.hpp"

namespace sluice::command {
namespace {

constexpr int most_tries = 5;

Begun::As as_after(Step step) {
    return step == Step::take_over ? Begun::As::settle : Begun::As::call;
}

CallRecord::Recorded<bool> change(CallRecord& record, Step step, const std::optional<KnownCall>& known,
                                  const NewCall& call) {
    if (step == Step::insert) return record.insert(call);
    if (step == Step::restart) return record.restart(*known, call);
    return record.take_over(known->claim, call.claim.owner, call.lease);
}

Claim next_claim(const NewCall& call, const std::optional<KnownCall>& known) {
    Claim claim = call.claim;
    claim.fence = known ? known->claim.fence + 1 : 1;
    return claim;
}

bool is_ours(const std::optional<KnownCall>& known, const NewCall& call) {
    return known && !known->end && known->claim.owner == call.claim.owner;
}

}  // namespace

CallRecord::Recorded<Begun> begin(CallRecord& record, const NewCall& call) {
    std::optional<KnownCall> known;  // most keys are new: the first look is the INSERT
    std::string why = "other requests change it all the time";
    for (int tries = 0; tries < most_tries; ++tries) {
        const Step step = step_for(known, call.request.fingerprint);
        if (step == Step::tell) return Begun{.answer = answer_from(*known, call.request.fingerprint)};
        const auto changed = change(record, step, known, call);
        if (changed && *changed) return Begun{.as = as_after(step), .claim = next_claim(call, known)};
        if (!changed) why = changed.error();
        auto found = record.find(call.claim.key);
        if (!found) return std::unexpected{std::move(found.error())};
        known = std::move(*found);
        if (is_ours(known, call)) return Begun{.as = as_after(step), .claim = known->claim};
    }
    return std::unexpected{std::move(why)};
}

}  // namespace sluice::command
