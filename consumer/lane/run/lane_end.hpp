#pragma once

#include <utility>

#include "consumer/apply/setback.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// How the main role's transaction with one event in its object's lane ended.
struct LaneEnd {
    enum class Kind {
        applied,     ///< committed: done or ignored, past deferred ones if there are any
        parked,      ///< committed: at the tail of the lane
        entered,     ///< committed: a deferred, retry or dead row
        known,       ///< rolled back: the event is in the inbox
        start_over,  ///< rolled back: the lane has changed, or another transaction holds it
        failed,      ///< rolled back: `setback`
    };
    Kind kind = Kind::applied;
    bool is_ignored = false;  ///< of applied
    bool owes = false;        ///< the lane is to be visited before the offset may count as finished
    bool has_deferred = false;
    Setback setback{};
};

/// The offsets that go with the transaction that applied `at`. An event whose lane owes something is left
/// out: no applied offset may cover it before that is sent.
[[nodiscard]] std::pair<std::vector<Coordinates>, std::vector<AppliedOffset>> offsets_of(
    const Partitions& partitions, const Coordinates& at, bool owes);

/// The record of an item whose payment is noted, as its row in a lane keeps it. Owns the bytes of the
/// headers.
class RecordToKeep {
public:
    RecordToKeep(const Item& item, std::string_view topic);
    [[nodiscard]] store::LaneRecord row() const;

private:
    const Item& item_;
    std::string_view topic_;
    std::string headers_;
};

/// What the event's row in a lane is bound to: the names of the effects that match it, in file order;
/// store::not_matched_yet() where its source is not known here; none where its headers cannot be read.
[[nodiscard]] std::vector<std::string> effects_to_keep(const Item& item, const Rules& rules);
/// The same with an edited body.
[[nodiscard]] std::vector<std::string> effects_to_keep(const Item& item, const Rules& rules,
                                                       std::string_view edited_body);

/// Names, in file order.
[[nodiscard]] std::vector<std::string> names_of(std::span<const effects::Effect* const> effects);

}  // namespace sluice::consumer
