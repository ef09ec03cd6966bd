#pragma once

#include <optional>
#include <span>

#include "common/webhook/body/json_view.hpp"
#include "consumer/apply/attempt.hpp"
#include "consumer/apply/event.hpp"

namespace sluice::consumer {

/// What a run of effects came to, as what has to be done about it; nullopt: done or ignored.
[[nodiscard]] std::optional<Setback> setback_of(const effects::Verdict& verdict,
                                                const store::Connection& connection);

/// Of an event whose source this configuration lacks (`has_source_of`).
[[nodiscard]] Setback source_unknown(const Item& item);

/// Runs the effects of one event after the other, inside the caller's open transaction. One thread's.
class OneEvent {
public:
    explicit OneEvent(const Rules& rules) : rules_{rules} {}

    /// nullopt: done or ignored. Never commits nor rolls back. `source_unknown` before anything runs.
    [[nodiscard]] std::optional<Setback> run(const Item& item,
                                             std::span<const effects::Effect* const> effects,
                                             store::Connection& connection);

    /// Reads the body into `view`; why it cannot be read otherwise.
    [[nodiscard]] std::optional<Setback> read_body(const Item& item);
    [[nodiscard]] const webhook::JsonView& view() const noexcept { return view_; }

private:
    [[nodiscard]] std::optional<Setback> run_now(const Item& item,
                                                 std::span<const effects::Effect* const> effects,
                                                 store::Connection& connection);

    const Rules& rules_;
    webhook::JsonView view_;
};

}  // namespace sluice::consumer
