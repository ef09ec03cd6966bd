#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/payment/payment.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// A statement that a trial ran. Values are as they are: mask them (masked_values.hpp) before anybody sees
/// them.
struct TrialStatement {
    std::string text;         ///< as the server prepared it
    std::vector<Json> bound;  ///< what each ? stood for
    std::int64_t matched = 0;
    std::vector<std::vector<Json>> rows{};  ///< of a SELECT
    bool is_select = false;
    bool is_duplicate = false;  ///< the row was there already, and the effect says what that means
    std::string error{};        ///< as the consumer says it, without the server's quotes of values
};

struct TrialEffect {
    const effects::Effect* effect = nullptr;
    std::vector<effects::Condition> because{};        ///< what its `when` asks for
    std::vector<std::pair<std::string, Json>> let{};  ///< those of its values that could be read
    std::vector<TrialStatement> statements{};
    std::optional<effects::Verdict> verdict{};  ///< nullopt: it was not run
};

/// What the consumer would make of an event that it tries for the first time.
struct TrialEnd {
    enum class Kind {
        applied,
        ignored,   ///< no effect matches, or each that does ignored it
        deferred,  ///< it waits, and is no failure
        retry,     ///< it waits as a failure
        held,      ///< it waits, uncounted: the effect lacks something, or the source is not known
        rule_case,
        dead,
        lost_lock,  ///< another session has rows of it: again soon
        trouble,    ///< the server cannot say
    };
    Kind kind = Kind::applied;
    std::string error_class{};  ///< empty: applied or ignored
    std::string reason{};       ///< as the entry or the inbox row would have it

    [[nodiscard]] bool is_good() const noexcept { return kind == Kind::applied || kind == Kind::ignored; }
};

/// The word for it, of a closed set.
[[nodiscard]] std::string_view name_of(TrialEnd::Kind kind) noexcept;
/// `setback` null: the effects went through.
[[nodiscard]] TrialEnd end_of(const consumer::Setback* setback, std::span<const TrialEffect> run,
                              const effects::EffectSet& effects, WallTime now);
[[nodiscard]] std::string sentence_of(const TrialEnd& end);

struct Trial {
    record::EventHeaders event;
    std::optional<webhook::Payment> payment;  ///< where effects ask for it and the event tells of one
    std::vector<TrialEffect> effects;         ///< those that match, in file order
    bool has_lane = false;                    ///< its object has unfinished events
    TrialEnd end;
};

/// Runs the effects that match by the consumer's own code, in a transaction that is rolled back, whatever
/// comes: there is no COMMIT in here. A program that dies meanwhile leaves the rollback to the server. Not
/// rolled back are AUTO_INCREMENT counters, and what triggers write to tables that have no transactions. A
/// Failure: the session is of no use.
[[nodiscard]] Result<Trial> try_effects(consumer::Item item, const consumer::Rules& rules,
                                        store::Connection& connection, const Clock& clock);

}  // namespace sluice::ctl
