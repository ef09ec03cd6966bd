#include "consumer/effects/handler/handler_effect.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <utility>

#include "common/error.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/handler/declared_run.hpp"
#include "consumer/effects/outcome/ending.hpp"

namespace sluice::effects {
namespace {

constexpr std::size_t longest_reason = 512;

std::vector<store::Datum> values_of(std::span<const Operand> needs, const EventValues& event) {
    std::vector<store::Datum> values;
    values.reserve(needs.size());
    for (const Operand& need : needs) values.push_back(value_of(need, event).value());  // none is negative
    return values;
}

}  // namespace

HandlerEffect::HandlerEffect(Heading heading, HandlerCall call)
    : Effect{std::move(heading)}, call_{std::move(call)} {}

std::vector<std::string> HandlerEffect::tables() const {
    std::vector<std::string> names;
    for (const auto& statement : call_.statements)
        if (!statement.is_select) names.push_back(changed_table(statement.text));
    return names;
}

std::string HandlerEffect::code() const {
    const Handler& handler = *call_.handler;
    std::string text = std::string{handler.name} + "\n" + std::to_string(handler.version) +
                       (handler.reads_body ? "\nbody" : "");
    for (const Need& need : handler.needs)
        text += "\nneed " + std::string{need.name} + " " + std::to_string(static_cast<int>(need.type));
    for (const std::string_view statement : handler.statements) text += "\n" + std::string{statement};
    return text;
}

Result<void> HandlerEffect::check_statements(store::Connection& connection, config::Problems& problems,
                                             std::vector<Lack>& missing) const {
    for (const auto& statement : call_.statements) {
        const auto prepared = connection.check(statement.text);
        if (!prepared && !note_refused(name(), call_.place, connection.last_error(), problems, missing))
            return Failure{prepared.error()};
        if (!prepared || statement.is_select) continue;
        const auto asked =
            note_rollback_gap(name(), call_.place, changed_table(statement.text), connection, problems);
        if (!asked) return Failure{asked.error()};
    }
    return {};
}

Verdict HandlerEffect::apply(const EventValues& event, store::Connection& connection) const {
    const auto values = values_of(call_.needs, event);
    DeclaredRun run{call_.statements, connection};
    const auto* body = call_.handler->reads_body ? &event.body->json : nullptr;
    Verdict verdict = handled({event.headers, values, body}, run);
    if (run.thrown()) std::rethrow_exception(run.thrown());
    if (!run.misuse().empty()) return failed(Outcome::park, "threw: " + run.misuse());
    if (!run.error()) return finished(std::move(verdict), connection);
    // Even if the handler took no notice of it.
    return {outcome_of(run.error()), run.error(), name(),
            run.failed_statement() + " failed: " + run.error().message()};
}

Verdict HandlerEffect::finished(Verdict verdict, const store::Connection& connection) const {
    const auto in_time = connection.check_limit();
    if (in_time) return verdict;
    return {outcome_of(in_time.error()), in_time.error(), name(),
            "handler " + std::string{call_.handler->name} + " returned too late"};
}

Verdict HandlerEffect::handled(const HandlerEvent& event, HandlerTransaction& transaction) const {
    try {
        const auto answer = call_.handler->handle(event, transaction);
        if (answer) return verdict_of(*answer);
        return failed(outcome_of(answer.error()), "failed: " + answer.error().message());
    } catch (const std::bad_alloc&) {
        return failed(Outcome::retry, "found no memory");
    } catch (const std::exception& exception) {
        return failed(Outcome::park, std::string{"threw: "} + exception.what());
    } catch (...) {
        return failed(Outcome::park, "threw what is no std::exception");
    }
}

Verdict HandlerEffect::verdict_of(const Handled& handled) const {
    constexpr std::array known{Outcome::done, Outcome::ignore, Outcome::defer, Outcome::retry, Outcome::park};
    if (!std::ranges::contains(known, handled.outcome))
        return failed(Outcome::park, "says what is no outcome");
    const bool is_case = !handled.case_class.empty();
    if (is_case && (handled.outcome != Outcome::park || !is_case_class(handled.case_class)))
        return failed(Outcome::park, "gives " + std::string{name_of(handled.outcome)} + " the class '" +
                                         handled.case_class + "', which is none of cases");
    if (handled.outcome == Outcome::done || handled.outcome == Outcome::ignore)
        return {handled.outcome, {}, {}, {}};
    auto verdict = failed(handled.outcome, "says " + std::string{name_of(handled.outcome)} +
                                               (is_case ? ":" + handled.case_class : ""));
    if (!handled.reason.empty()) verdict.reason = json_escaped(handled.reason, longest_reason);
    verdict.case_class = handled.case_class;
    return verdict;
}

Verdict HandlerEffect::failed(Outcome outcome, const std::string& how) const {
    return {outcome, {},
            name(),  json_escaped("handler " + std::string{call_.handler->name} + " " + how, longest_reason),
            {},      true};
}

}  // namespace sluice::effects
