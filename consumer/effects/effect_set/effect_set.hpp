#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/record/event_record.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/effect/timing.hpp"
#include "consumer/effects/handler/handler.hpp"
#include "consumer/handlers/handlers.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/effects_version.hpp"

namespace sluice::effects {

/// Whose time limit a run has.
enum class Limits : std::uint8_t { of_effect, of_caller };

/// Runs them in order inside the caller's open transaction, each within its time; stops at the first outcome
/// that is neither done nor ignore; ignore when all were ignored. Never commits nor rolls back. Statement
/// errors come back in Verdict::error with the class's outcome (store::class_of tells infrastructure from
/// data).
[[nodiscard]] Verdict run_effects(std::span<const Effect* const> effects, const EventView& event,
                                  store::Connection& connection, Timing* timing = nullptr,
                                  Limits limits = Limits::of_effect);

/// The `effects:` of the configuration, compiled. Immutable, shared by all workers.
class EffectSet {
public:
    /// Problems name file and line: an unknown kind or key, none or two of sql, handler and the set-based
    /// kinds, a pointer that is none, an unknown `as`, a :parameter without a `let`, a `let` that nothing
    /// uses, an amount that is no whole number or may be missing, a statement that is not one INSERT, UPDATE,
    /// DELETE or REPLACE (anything that commits by itself is refused), an outcome that is none, a
    /// `when.source` that does not exist, an empty `when`, parameters of what is not signed
    /// (effect/signed_reads.hpp), two effects of one name, what read_sends and read_handler
    /// refuses, with `handlers` as those that exist, what read_policy refuses, a revision below 1 or above
    /// store::highest_revision. `when.source: X` stands for every source of X's provider and principal.
    static EffectSet read(const config::Document& document, const webhook::SourceSet& sources,
                          config::Problems& problems,
                          std::span<const Handler> handlers = handlers::registered());
    EffectSet(EffectSet&&) noexcept;
    EffectSet& operator=(EffectSet&&) noexcept;
    ~EffectSet();

    /// Prepares every statement and reads the tables of the set-based kinds. What the server will never
    /// accept (syntax, a wrong number of columns), a key that no unique index covers and a column that its
    /// value does not fit are problems at their file and line. What may yet come (a missing table, column or
    /// right: ErrorClass::schema) is returned: not ready, check again.
    /// A failure of the connection itself or of the server is the Result's error.
    [[nodiscard]] Result<std::vector<Lack>> check(store::Connection& connection,
                                                  config::Problems& problems) const;

    /// The effects that match, in file order; none: the event is `ignored`. The pointers live as long as the
    /// set. `said`: as When::matches has it.
    [[nodiscard]] std::vector<const Effect*> matching(const record::EventHeaders& headers,
                                                      const SaidByBody& said = {}) const;
    /// Whether one of them uses what events say of payments; else that need not be read.
    [[nodiscard]] bool reads_payments() const noexcept { return reads_payments_; }
    /// Whether one of those that may match asks what the event's body says.
    [[nodiscard]] bool asks_body(const record::EventHeaders& headers) const;
    /// Whether one of them asks more than which payment it tells of.
    [[nodiscard]] bool asks_places(const record::EventHeaders& headers) const;

    /// The effect of this name, for events that are bound to their effects by name; nullptr: there is none.
    [[nodiscard]] const Effect* find(std::string_view name) const noexcept;

    /// run_effects, of some of these.
    [[nodiscard]] Verdict run(std::span<const Effect* const> effects, const EventView& event,
                              store::Connection& connection, Timing* timing = nullptr) const;

    /// What `effects_revision` says of them, and their digest: consumers that disagree upon them must not
    /// apply events in turns (consumer/store/schema/effects_version.hpp).
    [[nodiscard]] const store::EffectsVersion& version() const noexcept { return version_; }

    /// All of them, in file order.
    [[nodiscard]] std::span<const std::unique_ptr<const Effect>> all() const noexcept { return effects_; }
    [[nodiscard]] std::size_t size() const noexcept { return effects_.size(); }
    /// The longest that one of them may take.
    [[nodiscard]] Milliseconds longest_within() const noexcept;

private:
    EffectSet();
    store::EffectsVersion version_;
    std::vector<std::unique_ptr<const Effect>> effects_;
    bool reads_payments_ = false;
};

}  // namespace sluice::effects
