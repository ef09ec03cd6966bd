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
    [[nodiscard]] int code_version() const noexcept override { return call_.handler->version; }

private:
    [[nodiscard]] Result<void> check_statements(store::Connection& connection, config::Problems& problems,
                                                std::vector<Lack>& missing) const override;
    [[nodiscard]] Verdict apply(const EventValues& event, store::Connection& connection) const override;
    /// What the handler says, or why it said nothing. Throws nothing that a handler threw.
    [[nodiscard]] Verdict handled(const HandlerEvent& event, HandlerTransaction& transaction) const;
    [[nodiscard]] Verdict verdict_of(const Handled& handled) const;
    [[nodiscard]] Verdict failed(Outcome outcome, const std::string& how) const;

    HandlerCall call_;
};

}  // namespace sluice::effects
