#include "ctl/effects/trial/trial_text.hpp"

#include <format>

#include "common/joined.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "common/webhook/recipe/trust.hpp"
#include "ctl/effects/trial/masked_values.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t shown_of_a_body = 16 * 1024;
constexpr std::size_t shown_of_a_statement = 400;
constexpr std::size_t shown_rows = 5;

std::string one_line(std::string_view text) {
    std::string out;
    for (const char c : redact::without_control_bytes(text)) {
        const bool is_space = c == ' ' || c == '\n' || c == '\t';
        if (!is_space) out += c;
        if (is_space && !out.empty() && out.back() != ' ') out += ' ';
    }
    if (out.size() > shown_of_a_statement) out = out.substr(0, shown_of_a_statement) + "…";
    return out;
}

Json fact_of(const webhook::PaymentValue& value) {
    if (!value.trouble.empty()) return "cannot be read: " + redact::masked_text(value.trouble);
    if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value.value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&value.value)) return to_rfc3339(*time);
    return nullptr;
}

Json payment_json(const Trial& trial) {
    if (!trial.payment) return nullptr;
    Json facts = Json::object();
    for (std::size_t i = 0; i < webhook::payment_facts.size(); ++i)
        facts[std::string{webhook::payment_facts[i]}] = fact_of(trial.payment->values[i]);
    return redact::masked_json(facts);
}

Json statement_json(const TrialStatement& statement, const MaskedValues& masked) {
    Json bound = Json::array();
    for (const Json& value : statement.bound) bound.push_back(masked.value(value));
    Json json{{"statement", statement.text}, {"bound", std::move(bound)}};
    if (!statement.error.empty()) {
        json["error"] = redact::masked_text(statement.error);
        return json;
    }
    json["rows"] = statement.matched;
    if (statement.is_duplicate) json["duplicate"] = true;
    if (!statement.is_select) return json;
    json["found"] = Json::array();
    for (const auto& row : statement.rows) {
        Json values = Json::array();
        for (const Json& value : row) values.push_back(masked.value(value));
        json["found"].push_back(std::move(values));
    }
    return json;
}

std::string because_text(const effects::Condition& condition) {
    return std::format("{} {}", condition.key, condition.has.empty() ? condition.wanted : condition.has);
}

std::string outcome_of(const TrialEffect& effect) {
    if (!effect.verdict) return "not_run";
    const effects::Verdict& verdict = *effect.verdict;
    const std::string name{effects::name_of(verdict.outcome)};
    return verdict.case_class.empty() ? name : name + ":" + verdict.case_class;
}

std::string reason_of(const TrialEffect& effect) {
    return effect.verdict ? redact::masked_text(effect.verdict->reason) : std::string{};
}

Json effect_json(const TrialEffect& effect) {
    const MaskedValues masked{effect};
    Json because = Json::array();
    for (const auto& condition : effect.because)
        because.push_back(redact::masked_text(because_text(condition)));
    Json statements = Json::array();
    for (const auto& statement : effect.statements) statements.push_back(statement_json(statement, masked));
    return {{"name", effect.effect->name()}, {"because", std::move(because)},
            {"let", masked.let()},           {"statements", std::move(statements)},
            {"outcome", outcome_of(effect)}, {"reason", reason_of(effect)}};
}

std::string result_text(const Json& statement) {
    if (statement.contains("error")) return "fails: " + statement["error"].get<std::string>();
    if (statement.contains("duplicate")) return "the row is there already";
    const auto rows = statement["rows"].get<std::int64_t>();
    std::string text = std::format("{} {}", rows, rows == 1 ? "row" : "rows");
    std::size_t shown = 0;
    for (const Json& row : statement.value("found", Json::array())) {
        if (++shown > shown_rows) return text + " …";
        text += " " + to_line(row);
    }
    return text;
}

std::string effect_text(const Json& effect) {
    std::string text = "\neffect    " + effect["name"].get<std::string>() + "\n";
    const auto line = [&text](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("  {:<8}{}\n", name, one_line(value));
    };
    line("because", joined(effect["because"], ", ", [](const Json& one) { return one.get<std::string>(); }));
    for (const auto& [name, value] : effect["let"].items()) line("let", ":" + name + " = " + to_line(value));
    for (const Json& statement : effect["statements"]) {
        line("runs", statement["statement"].get<std::string>());
        if (!statement["bound"].empty()) line("  bound", to_line(statement["bound"]));
        line("  gives", result_text(statement));
    }
    line("outcome", effect["outcome"].get<std::string>());
    line("reason", effect["reason"].get<std::string>());
    return text;
}

/// By the ingress, when it came. What a provider's list says has no signature.
bool was_verified(const TrialEvent& event, const Trial& trial) {
    return event.is_stored && !event.is_edited && trial.event.trust != webhook::name_of(webhook::Trust::api);
}

std::string facts_text(const Json& json) {
    const Json& event = json["event"];
    std::string text;
    const auto line = [&text](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<9} {}\n", name, one_line(value));
    };
    for (const char* const name : {"id", "type", "source", "key", "from", "stands"})
        line(std::string_view{name} == "id" ? "event" : name, event[name].get<std::string>());
    if (!event["verified"].get<bool>()) line("signature", "not verified");
    if (json["payment"].is_null()) return text;
    std::string facts;
    for (const auto& [name, value] : json["payment"].items()) {
        if (!value.is_null()) facts += (facts.empty() ? "" : ", ") + name + " " + to_line(value);
    }
    line("payment", facts);
    return text;
}

/// Of one that comes now; one that came has its place already.
bool waits_behind_others(const TrialEvent& event, const Trial& trial) {
    return trial.has_lane && !event.is_stored;
}

std::string body_text(const TrialEvent& event) {
    std::string body = redact::masked_body(event.body);
    const std::size_t whole = body.size();
    if (whole > shown_of_a_body) {
        body.resize(shown_of_a_body);
        body = redact::without_control_bytes(body) +
               std::format("\n({} more bytes: --json prints all)", whole - shown_of_a_body);
    }
    return std::format("\npayload   {} bytes, masked\n{}\n", event.body.size(), body);
}

}  // namespace

Json to_json(const TrialEvent& event, const Trial& trial) {
    Json effects = Json::array();
    for (const auto& effect : trial.effects) effects.push_back(effect_json(effect));
    return {{"event",
             {{"id", trial.event.event_id},
              {"type", trial.event.type},
              {"source", trial.event.source},
              {"key", event.key},
              {"from", event.from},
              {"stands", event.stands},
              {"verified", was_verified(event, trial)}}},
            {"payload", redact::masked_body(event.body)},
            {"payment", payment_json(trial)},
            {"effects", std::move(effects)},
            {"waits_behind_others", waits_behind_others(event, trial)},
            {"verdict",
             {{"kind", std::string{name_of(trial.end.kind)}},
              {"class", trial.end.error_class},
              {"reason", redact::masked_text(trial.end.reason)},
              {"sentence", redact::masked_text(sentence_of(trial.end))}}}};
}

std::string to_people(const TrialEvent& event, const Trial& trial, bool with_body) {
    const Json json = to_json(event, trial);
    std::string text = facts_text(json);
    for (const Json& effect : json["effects"]) text += effect_text(effect);
    if (with_body) text += body_text(event);
    text += "\n" + redact::without_control_bytes(json["verdict"]["sentence"].get<std::string>()) + "\n";
    if (waits_behind_others(event, trial))
        text += "Earlier events of its object are not finished: it would have its turn behind them.\n";
    return text;
}

}  // namespace sluice::ctl
