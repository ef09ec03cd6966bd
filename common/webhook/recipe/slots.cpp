#include "common/webhook/recipe/slots.hpp"

#include <algorithm>
#include <iterator>

#include "common/webhook/http/header_lookup.hpp"

namespace sluice::webhook {

namespace {

using Kind = SignedPart::Kind;

void add_once(std::vector<Input>& inputs, const Input& input) {
    if (!std::ranges::contains(inputs, input)) inputs.push_back(input);
}

/// A header that facts are read from says who and what: it occurs once, or not at all.
void add_headers(std::vector<Input>& inputs, const Joined& facts) {
    for (const Fact& fact : facts) {
        const auto names_it = [&](const Input& input) {
            return input.from == Input::From::header &&
                   std::ranges::any_of(input.names,
                                       [&](const auto& name) { return is_same_name(name, fact.name); });
        };
        if (fact.from == Fact::From::header && std::ranges::none_of(inputs, names_it))
            inputs.push_back({Input::From::header, {fact.name}, /*optional=*/true});
    }
}

std::string in_lower_case(std::string name) {
    std::ranges::transform(name, name.begin(), lower_case);
    return name;
}

void name_headers(Program& program) {
    for (const Input& input : program.inputs) {
        if (input.from == Input::From::header)
            std::ranges::copy(input.names, std::back_inserter(program.headers));
    }
    std::ranges::transform(program.headers, std::back_inserter(program.recorded_headers), in_lower_case);
}

void name_form(Program& program) {
    for (const Input& input : program.inputs) {
        program.names_are_unique |= input.from == Input::From::sorted_form;
        program.reads_form |= input.from == Input::From::form || input.from == Input::From::sorted_form;
    }
}

}  // namespace

const std::vector<Reading>& readings_of(const SignedRule& rule,
                                        const std::map<std::string, std::string, std::less<>>& with) {
    const auto setting = with.find(rule.setting);
    const std::string chosen = setting == with.end() ? std::string{} : setting->second;
    const auto found = std::ranges::find(rule.choices, chosen, &SignedRule::Choice::value);
    return (found == rule.choices.end() ? rule.choices.front() : *found).readings;
}

void name_slots(const Recipe& recipe, const std::vector<Reading>& readings, const std::vector<Bind>& binds,
                Program& program) {
    add_once(program.inputs, recipe.signature.input);
    if (recipe.timestamp.in != TimestampRule::In::none) add_once(program.inputs, recipe.timestamp.input);
    for (const Reading& reading : readings) {
        for (const SignedPart& part : reading) {
            if (part.kind == Kind::input) add_once(program.inputs, part.input);
            if (part.only_if) add_once(program.inputs, *part.only_if);
        }
    }
    for (const Requirement& one : recipe.required) add_once(program.inputs, one.input);
    for (const Bind& bind : binds) add_once(program.inputs, bind.input);
    if (recipe.certificate) add_once(program.inputs, recipe.certificate->from);
    if (recipe.key_choice.by) add_once(program.inputs, *recipe.key_choice.by);
    for (const Joined& facts : recipe.extraction.id) add_headers(program.inputs, facts);
    for (const Joined& facts : recipe.extraction.type) add_headers(program.inputs, facts);
    const auto pairs = std::ranges::stable_partition(
        program.inputs, [](const Input& input) { return input.from != Input::From::pair; });
    program.first_pair = static_cast<std::size_t>(pairs.begin() - program.inputs.begin());
    name_headers(program);
    name_form(program);
}

bool stands_for_body(const Input& input, const BodyRule& body) noexcept {
    if (input.from == Input::From::sorted_form) return true;
    return input.from == Input::From::form && body.kind == BodyRule::Kind::xml_in_form &&
           input.names.front() == body.field;
}

std::uint8_t slot_of(const Program& program, const Input& input) {
    const auto found = std::ranges::find(program.inputs, input);
    return static_cast<std::uint8_t>(1 + (found - program.inputs.begin()));
}

std::uint8_t slot_of(const Program& program, const SignedPart& part) {
    switch (part.kind) {
        case Kind::literal:
        case Kind::setting:
            return Segment::fixed;
        case Kind::body:
            return Program::body_slot;
        case Kind::timestamp:
            return program.timestamp_slot;
        case Kind::input:
            return slot_of(program, part.input);
    }
    return Segment::fixed;
}

}  // namespace sluice::webhook
