#include "consumer/command/operator_settings.hpp"

#include <algorithm>
#include <set>

#include "consumer/command/approval.hpp"

namespace sluice::command {
namespace {

constexpr std::size_t most_operator_keys = 64;
constexpr std::size_t longest_operator_name = 128;  // of operator_action

OperatorSettings::Key read_operator_key(config::Section& section) {
    OperatorSettings::Key key{
        .id = section.required_text("id"), .operator_name = section.text("operator", ""), .value = {}};
    if (!key.id.empty() && !is_key_id(key.id))
        section.problem_at("id", "the id of an operator's key must have 1 to 64 letters, digits and . _ -");
    if (key.operator_name.size() > longest_operator_name)
        section.problem_at("operator", "the name of an operator must have at most 128 bytes");
    if (!section.has("value")) section.problem("value is missing: {file: PATH} or {env: NAME}");
    if (const auto reference = section.secret("value")) key.value = *reference;
    return key;
}

std::size_t count_operators(const std::vector<OperatorSettings::Key>& keys) {
    std::set<std::string> names;
    for (const auto& key : keys)
        if (!key.operator_name.empty()) names.insert(key.operator_name);
    return names.size();
}

std::vector<store::ActionKind> read_two_for(config::Section& operators) {
    std::vector<store::ActionKind> kinds;
    for (const std::string& name : operators.texts("two_for")) {
        const auto kind = store::action_kind_from(name);
        if (kind && std::ranges::contains(may_take_two, *kind))
            kinds.push_back(*kind);
        else
            operators.problem_at("two_for",
                                 "operators.two_for must be a list of edit, skip and close: only these can "
                                 "require two operators");
    }
    return kinds;
}

void refuse_twins(const OperatorSettings& settings, const std::vector<OperatorKey>& keys,
                  config::Problems& problems) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (keys[i].secret.empty() || keys[i].secret.bytes() != keys[j].secret.bytes()) continue;
            problems.add(settings.keys[i].value.place,
                         "operators.keys " + keys[j].id + " and " + keys[i].id +
                             " have the same secret, so one person could act as two operators: give each key "
                             "its own secret (`openssl rand -hex 32`)");
        }
    }
}

}  // namespace

OperatorSettings read_operators(const config::Document& document) {
    config::Section operators = document.section("operators");
    OperatorSettings settings;
    std::set<std::string> ids;
    for (config::Section& section : operators.sections("keys")) {
        settings.keys.push_back(read_operator_key(section));
        if (!ids.insert(settings.keys.back().id).second)
            section.problem_at("id", "another key of operators has this id");
    }
    if (settings.keys.size() > most_operator_keys)
        operators.problem_at("keys", "operators.keys must have at most 64 keys");
    settings.two_for = read_two_for(operators);
    if (!settings.two_for.empty() && count_operators(settings.keys) < 2)
        operators.problem_at("two_for",
                             "operators.two_for requires two operators, and operators.keys has the keys of "
                             "fewer: give it at least two keys with different `operator`");
    return settings;
}

OperatorKey resolve_key(const OperatorSettings::Key& key, config::Problems& problems) {
    Secret secret = config::resolve(key.value, problems);
    if (!secret.empty() && secret.bytes().size() < shortest_operator_key)
        problems.add(key.value.place, "the secret in " + key.value.text() +
                                          " is too short to sign with: it must have at least 32 bytes, such "
                                          "as those of `openssl rand -hex 32`");
    return {.id = key.id, .operator_name = key.operator_name, .secret = std::move(secret)};
}

std::vector<OperatorKey> resolve_keys(const OperatorSettings& settings, config::Problems& problems) {
    std::vector<OperatorKey> keys;
    for (const auto& key : settings.keys) keys.push_back(resolve_key(key, problems));
    if (!settings.two_for.empty()) refuse_twins(settings, keys, problems);
    return keys;
}

Operators operators_in(const std::string& file) {
    config::Problems problems;
    const config::Document document = config::Document::from_file(file, problems);
    const OperatorSettings settings = read_operators(document);
    if (problems.any()) throw config::Refused{problems.report()};
    Operators operators{.keys = resolve_keys(settings, problems), .two_for = settings.two_for};
    if (problems.any()) throw config::Refused{problems.report()};
    return operators;
}

}  // namespace sluice::command
