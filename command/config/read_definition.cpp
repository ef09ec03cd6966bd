#include <algorithm>
#include <utility>

#include "command/config/definition.hpp"
#include "consumer/effects/effect_set/read_effect.hpp"
#include "consumer/effects/value/event_fields.hpp"
#include "consumer/effects/value/placeholders.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_name = 64;
constexpr std::size_t most_fields = 16;

bool is_command_name(std::string_view name) {
    const auto may_stand = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return name.size() <= longest_name && std::ranges::all_of(name, may_stand);
}

std::vector<webhook::Pointer> read_fields(config::Section& section, std::string_view key) {
    std::vector<webhook::Pointer> fields;
    for (const std::string& text : section.texts(key)) {
        auto pointer = webhook::Pointer::parse(text);
        if (pointer && !text.empty())
            fields.push_back(std::move(*pointer));
        else
            section.problem_at(key,
                               "'" + text + "' is no JSON pointer: it must start with /, as in /order/id");
    }
    if (section.has(key) && (fields.empty() || fields.size() > most_fields))
        section.problem_at(key, std::string{key} + " must be a list of 1 to 16 JSON pointers");
    return fields;
}

std::vector<Bounded> read_all_bounded(config::Section& section) {
    std::vector<Bounded> all;
    const auto value = section.value("parameters");
    if (!value) return all;
    if (!value->is_mapping())
        value->problem("parameters must be a mapping, as in {price: {at: /price, type: integer, …}}");
    for (const auto& [key, one] : value->entries()) {
        const auto name = key.scalar();
        if (!effects::is_parameter_name(name) || effects::is_built_in(name))
            key.problem("'" + name +
                        "' cannot be a parameter's name: use letters, digits and _, and none of " +
                        "those that every command has, such as event_id");
        if (std::ranges::contains(all, name, [](const Bounded& other) { return other.parameter.name; }))
            key.problem("there are two parameters " + name);
        all.push_back(read_bounded(name, config::Section{one, "parameters." + name}));
    }
    return all;
}

std::vector<effects::Parameter> parameters_of(const std::vector<Bounded>& all) {
    std::vector<effects::Parameter> parameters;
    for (const Bounded& one : all) parameters.push_back(one.parameter);
    return parameters;
}

void read_effect(Definition& read, config::Section& section, const destination::Names& destinations) {
    read.parameters = read_all_bounded(section);
    if (const auto as_it_stands = section.value("effect")) check_message_keys(*as_it_stands, read.parameters);
    auto effect = section.section("effect");
    effects::NameScope names{effect, parameters_of(read.parameters)};
    read.effect = effects::read_unmatched_effect(effect, read.name, destinations, names);
    if (section.has("hot")) read.hot = read_hot(section.section("hot"), read.parameters, names);
    if (const auto answers = section.value("answers"))
        read.answers = Answers::read(*answers, names);
    else
        section.problem("answers is missing: what callers get, as in {done: {status: 200, body: {…}}}");
    names.complain_of_unused();
}

}  // namespace

std::unique_ptr<const Definition> read_definition(config::Section section,
                                                  const destination::Names& destinations) {
    auto read = std::make_unique<Definition>();
    read->name = section.required_text("name");
    if (!is_command_name(read->name))
        section.problem_at("name", "a command's name must have 1 to 64 of a-z, 0-9, - and _");
    read->key = read_fields(section, "key");
    read->fingerprint = read_fields(section, "fingerprint");
    read->wait = section.duration("wait", 200ms, 10ms, 30s);
    read->keep = std::chrono::duration_cast<std::chrono::seconds>(section.duration("keep", 72h, 1h, 2160h));
    read->limit = webhook::read_account_limit(section, "limit");
    if (section.has("call")) {
        read->call = read_call(section.section("call"));
        return read;
    }
    read_effect(*read, section, destinations);
    return read->effect ? std::move(read) : nullptr;
}

}  // namespace sluice::command
