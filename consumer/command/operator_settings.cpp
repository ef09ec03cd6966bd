#include "consumer/command/operator_settings.hpp"

#include <set>

namespace sluice::command {
namespace {

constexpr std::size_t most_operator_keys = 64;
constexpr std::size_t longest_operator_name = 128;  // of operator_action

OperatorSettings::Key read_operator_key(config::Section& section) {
    OperatorSettings::Key key{
        .id = section.required_text("id"), .operator_name = section.text("operator", ""), .value = {}};
    if (!key.id.empty() && !is_key_id(key.id))
        section.problem_at("id", "an operators' key has an id of 1 to 64 letters, digits and . _ -");
    if (key.operator_name.size() > longest_operator_name)
        section.problem_at("operator", "the name of an operator has 128 bytes at most");
    if (!section.has("value")) section.problem("value is missing: {file: PATH} or {env: NAME}");
    if (const auto reference = section.secret("value")) key.value = *reference;
    return key;
}

}  // namespace

OperatorSettings read_operators(const config::Document& document) {
    config::Section operators = document.section("operators");
    OperatorSettings settings;
    std::set<std::string> ids;
    for (config::Section& section : operators.sections("keys")) {
        settings.keys.push_back(read_operator_key(section));
        if (!ids.insert(settings.keys.back().id).second)
            section.problem_at("id", "two keys of operators have this id");
    }
    if (settings.keys.size() > most_operator_keys) operators.problem_at("keys", "at most 64 keys");
    return settings;
}

std::vector<OperatorKey> resolve_keys(const OperatorSettings& settings, config::Problems& problems) {
    std::vector<OperatorKey> keys;
    for (const auto& key : settings.keys) {
        Secret secret = config::resolve(key.value, problems);
        if (!secret.empty() && secret.bytes().size() < shortest_operator_key)
            problems.add(key.value.place,
                         "the secret in " + key.value.text() +
                             " is too short to sign with: 32 bytes at least, such as those of "
                             "`openssl rand -hex 32`");
        keys.push_back({.id = key.id, .operator_name = key.operator_name, .secret = std::move(secret)});
    }
    return keys;
}

std::vector<OperatorKey> operator_keys_in(const std::string& file) {
    config::Problems problems;
    const config::Document document = config::Document::from_file(file, problems);
    const OperatorSettings settings = read_operators(document);
    if (problems.any()) throw config::Refused{problems.report()};
    auto keys = resolve_keys(settings, problems);
    if (problems.any()) throw config::Refused{problems.report()};
    return keys;
}

}  // namespace sluice::command
