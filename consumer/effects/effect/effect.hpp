#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/config/problems.hpp"
#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "consumer/effects/effect/decide.hpp"
#include "consumer/effects/effect/lack.hpp"
#include "consumer/effects/effect/when.hpp"
#include "consumer/effects/outcome/verdict.hpp"
#include "consumer/effects/value/event_view.hpp"
#include "consumer/effects/value/operand.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "consumer/lane/rules/after_attempt.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

class ChangeEffect;

/// What an effect of any kind has.
struct Heading {
    std::string name;
    When when;
    lane::Policy policy;
    Milliseconds within{std::chrono::seconds{5}};  ///< all statements of one run
    std::vector<Parameter> let{};                  ///< what it reads out of a body
    std::optional<Decide> decide{};                ///< whether it goes on, asked first
    bool sends = false;                            ///< messages, which a relay waits for
};

/// One entry of `effects:`, compiled; each kind is its own class behind `read_effect`. Immutable.
class Effect {
public:
    virtual ~Effect() = default;
    Effect(const Effect&) = delete;
    Effect& operator=(const Effect&) = delete;

    [[nodiscard]] const std::string& name() const noexcept { return heading_.name; }
    [[nodiscard]] const lane::Policy& policy() const noexcept { return heading_.policy; }
    [[nodiscard]] Milliseconds within() const noexcept { return heading_.within; }
    [[nodiscard]] const When& when() const noexcept { return heading_.when; }
    [[nodiscard]] std::span<const Parameter> let() const noexcept { return heading_.let; }

    /// Appends the values of `let` to `values`; a verdict when one cannot be had. Views are of the event, or
    /// lie in `made`.
    [[nodiscard]] std::optional<Verdict> evaluate(const EventView& event, std::vector<store::Datum>& values,
                                                  std::pmr::memory_resource& made) const;

    /// The tables that its statements name as those they change, for people.
    [[nodiscard]] virtual std::vector<std::string> tables() const = 0;

    /// As EffectSet::check, for this effect: `missing` gets what may yet come.
    [[nodiscard]] Result<void> check(store::Connection& connection, config::Problems& problems,
                                     std::vector<Lack>& missing) const;

    /// As EffectSet::run, for this effect alone.
    [[nodiscard]] Verdict run(const EventView& event, store::Connection& connection) const;

    /// The effect as one whose changes of a whole batch can be made together; nullptr for other kinds.
    [[nodiscard]] virtual const ChangeEffect* set_based() const noexcept { return nullptr; }

    /// It upserts: events may find their row newer.
    [[nodiscard]] virtual bool may_be_stale() const noexcept { return false; }

    /// What is known of the C++ that it runs (consumer/effects/handler); empty: the file says all of it.
    [[nodiscard]] virtual std::string code() const { return {}; }

    /// A SELECT is asked first.
    [[nodiscard]] bool decides() const noexcept { return heading_.decide.has_value(); }

    /// It may put messages into the outbox.
    [[nodiscard]] bool sends() const noexcept { return heading_.sends; }

protected:
    explicit Effect(Heading heading) : heading_{std::move(heading)} {}

private:
    /// As `check`, for its statements.
    [[nodiscard]] virtual Result<void> check_statements(store::Connection& connection,
                                                        config::Problems& problems,
                                                        std::vector<Lack>& missing) const = 0;
    /// Its statements, one after the other.
    [[nodiscard]] virtual Verdict apply(const EventValues& event, store::Connection& connection) const = 0;

    Heading heading_;
};

}  // namespace sluice::effects
