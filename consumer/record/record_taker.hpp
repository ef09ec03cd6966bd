#pragma once

#include "common/clock.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// Who takes the records that a GroupMember hands out. `in_trouble` and all else are called on the poll
/// thread.
class RecordTaker {
public:
    virtual ~RecordTaker() = default;

    virtual void offer(Items items) = 0;
    [[nodiscard]] virtual bool in_trouble() const noexcept = 0;
    /// Takes no new work until `resume`; returns true once none is under way, false at `deadline`.
    [[nodiscard]] virtual bool quiesce(SteadyTime deadline) = 0;
    virtual void resume() = 0;

protected:
    RecordTaker() = default;
    RecordTaker(const RecordTaker&) = default;
    RecordTaker& operator=(const RecordTaker&) = default;
};

}  // namespace sluice::consumer
