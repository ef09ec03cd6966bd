#pragma once

#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/handler/declared_statement.hpp"
#include "consumer/effects/handler/handler.hpp"

namespace sluice::effects {

/// A handler as an effect calls it.
struct HandlerCall {
    const Handler* handler = nullptr;  ///< outlives the effect
    config::Place place{};             ///< of its name, for messages
    std::vector<DeclaredStatement> statements{};
    std::vector<Operand> needs{};
};

/// Kind `handler`: the team's own C++, once per event. An exception that leaves it is a failure of the event:
/// dead at once, or tried again where memory was lacking. What the connection throws is none of the
/// handler's, and goes on.
class HandlerEffect final : public Effect {
public:
    HandlerEffect(Heading heading, HandlerCall call);

    [[nodiscard]] std::vector<std::string> tables() const override;
    /// All that a handler declares; of its function only the version.
    [[nodiscard]] std::string code() const override;

private:
    [[nodiscard]] Result<void> check_statements(store::Connection& connection, config::Problems& problems,
                                                std::vector<Lack>& missing) const override;
    [[nodiscard]] Verdict apply(const EventValues& event, store::Connection& connection) const override;
    /// What the handler says, or why it said nothing. Throws nothing that a handler threw.
    [[nodiscard]] Verdict handled(const HandlerEvent& event, HandlerTransaction& transaction) const;
    /// A run that took longer than `within` is none, also where nothing was asked for in the end.
    [[nodiscard]] Verdict finished(Verdict verdict, const store::Connection& connection) const;
    [[nodiscard]] Verdict verdict_of(const Handled& handled) const;
    [[nodiscard]] Verdict failed(Outcome outcome, const std::string& how) const;

    HandlerCall call_;
};

}  // namespace sluice::effects
