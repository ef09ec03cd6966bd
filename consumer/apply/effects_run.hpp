#pragma once

#include <expected>
#include <span>

#include "common/webhook/body/json_view.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/setback.hpp"

namespace sluice::consumer {

/// What a run of effects came to, as what has to be done about it; success: done or ignored.
[[nodiscard]] std::expected<void, Setback> setback_of(const effects::Verdict& verdict,
                                                      const store::Connection& connection);

/// Of an event whose source this configuration lacks (`has_source_of`).
[[nodiscard]] Setback source_unknown(const Item& item);

/// Runs the effects of one event after the other, inside the caller's open transaction. One thread's.
class EffectsRun {
public:
    explicit EffectsRun(const Rules& rules) : rules_{rules} {}

    /// Success: done or ignored. Never commits nor rolls back. `source_unknown` before anything runs.
    [[nodiscard]] std::expected<void, Setback> run(const Item& item,
                                                   std::span<const effects::Effect* const> effects,
                                                   store::Connection& connection);

    /// Reads the body, which `body` has until the next one; why it cannot be read otherwise.
    [[nodiscard]] std::expected<void, Setback> read_body(const Item& item);
    /// What the body that was read says of a payment, where that is not noted yet.
    void note_payment(Item& item) const;
    [[nodiscard]] effects::EventBody body() const noexcept {
        return {view_, payment_ ? &*payment_ : nullptr, headers_, bytes_, at_};
    }

private:
    [[nodiscard]] std::expected<void, Setback> run_now(const Item& item,
                                                       std::span<const effects::Effect* const> effects,
                                                       store::Connection& connection);

    const Rules& rules_;
    const webhook::Source* source_ = nullptr;  // of the body that was read
    webhook::JsonView view_;
    std::optional<webhook::Payment> payment_;
    std::span<const record::HeaderView> headers_;
    std::string_view bytes_;
    effects::RecordPlace at_;
};

}  // namespace sluice::consumer
