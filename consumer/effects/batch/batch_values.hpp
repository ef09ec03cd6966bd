#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// One event of a batch and the effects that match it.
struct BatchEvent {
    const record::EventHeaders& headers;
    std::span<const Effect* const> effects;
};

/// What the set-based effects of a batch take out of its events' bodies, which then are of no more use. In
/// memory that serves batch after batch. One worker's.
class BatchValues {
public:
    /// An effect of an event, its parameters at hand.
    struct Part {
        const ChangeEffect* effect;
        std::size_t first_value;  ///< into values_
        std::size_t value_count;
        std::optional<std::size_t> failure;  ///< into failures_: they could not be had
    };

    /// Of a batch of so many events, none of which is read yet.
    void start(std::size_t events);
    [[nodiscard]] bool has(std::size_t number) const noexcept { return read_[number].is_read; }
    /// All effects of `event` are set-based. nullopt: its body cannot be read, and each of them fails.
    void read(std::size_t number, const BatchEvent& event, const std::optional<EventBody>& body);

    /// Of those that are for its body, in order. Of one that was read.
    [[nodiscard]] std::span<const Part> parts_of(std::size_t number) const;
    [[nodiscard]] EventValues values_of(const Part& part, const record::EventHeaders& headers) const;
    /// Of a part that has one.
    [[nodiscard]] const Verdict& failure_of(const Part& part) const { return failures_[*part.failure]; }

private:
    struct Read {
        bool is_read = false;
        std::size_t first_part = 0;  ///< into parts_
        std::size_t part_count = 0;
    };
    void keep_texts(std::size_t from_value);

    std::pmr::monotonic_buffer_resource texts_;  // what values_ points to
    std::vector<store::Datum> values_;
    std::vector<Part> parts_;
    std::vector<Verdict> failures_;
    std::vector<Read> read_;  // by number of the event
};

}  // namespace sluice::effects
