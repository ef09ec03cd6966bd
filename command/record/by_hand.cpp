#include "command/record/by_hand.hpp"

#include <utility>

#include "command/hot/not_booked.hpp"
#include "common/failpoint.hpp"
#include "common/time_text.hpp"

namespace sluice::command {
namespace {

using State = CallEnd::State;

WallTime over_for_sure(const KnownCall& known, const CallDefinition& call) {
    const Milliseconds beside = after_the_lease;
    return known.begun_at + call.lease + beside / HURRY();
}

}  // namespace

std::string why_not_by_hand(const std::optional<KnownCall>& known, const Definition& definition, Seen seen,
                            WallTime now) {
    if (!known || (known->end && known->is_due)) return "nothing is kept under this key";
    if (known->end && known->end->state == State::done) return "it has its first response";
    if (known->end && known->end->state == State::failed)
        return "nothing was done, and the same key may be tried again";
    const bool has_ended_for_sure = known->end && seen == Seen::executed;
    if (has_ended_for_sure || !definition.call) return "";
    const WallTime from = over_for_sure(*known, *definition.call);
    if (now >= from) return "";
    return "it may still be sent, or be executed: wait until " + to_rfc3339(from);
}

CallEnd ended_by_hand(Seen seen, const Definition& definition, Response response, std::string why) {
    if (seen == Seen::executed) return {.response = std::move(response), .why = std::move(why)};
    if (definition.call) return {.state = State::failed, .why = std::move(why)};
    return {.response = {.status = 409, .body = std::string{not_booked_body}}, .why = std::move(why)};
}

EndedBy ended_by(const std::optional<KnownCall>& found, const KnownCall& seen, const CallEnd& end) {
    const std::int64_t ours = seen.claim.fence + 1;
    if (!found || found->claim.fence > ours) return EndedBy::nobody_knows;
    const bool is_as_written =
        found->claim.fence == ours && found->claim.owner == seen.claim.owner && found->end == end;
    return is_as_written ? EndedBy::us : EndedBy::another;
}

}  // namespace sluice::command
