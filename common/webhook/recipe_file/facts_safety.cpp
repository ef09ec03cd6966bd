#include <algorithm>
#include <ranges>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe_file/recipe_safety.hpp"

namespace sluice::webhook {

namespace {

/// The facts that stand alone in the alternatives before the one being checked.
using Before = std::vector<const Fact*>;

bool is_name_in(const Fact& fact, const Input& input, const std::string& name) {
    if (fact.from == Fact::From::header)
        return input.from == Input::From::header && is_same_name(fact.name, name);
    return fact.from == Fact::From::query && input.from == Input::From::query && fact.name == name;
}

/// Of several names the first that is present is signed, so the names before it must be read earlier.
bool reads_the_same(const Fact& fact, const Before& before, const Input& input) {
    const auto own = std::ranges::find_if(
        input.names, [&](const std::string& name) { return is_name_in(fact, input, name); });
    if (own == input.names.end()) return false;
    return std::ranges::all_of(input.names.begin(), own, [&](const std::string& name) {
        return std::ranges::any_of(before,
                                   [&](const Fact* other) { return is_name_in(*other, input, name); });
    });
}

bool has_part(const Reading& reading, const auto& is_it) {
    return std::ranges::any_of(reading, [&](const SignedPart& part) {
        const bool is_always_there = !part.only_if || *part.only_if == part.input;
        return part.kind == SignedPart::Kind::input && is_always_there && is_it(part.input);
    });
}

/// Whether each text that may be signed has such a part.
bool all_have_part(const Recipe& recipe, const auto& is_it) {
    return std::ranges::all_of(recipe.signed_rule.choices, [&](const SignedRule::Choice& choice) {
        return std::ranges::all_of(choice.readings,
                                   [&](const Reading& reading) { return has_part(reading, is_it); });
    });
}

bool signs_fields(const Recipe& recipe) {
    return recipe.extraction.items && recipe.extraction.items->each_signed;
}

bool covers_pointer(const Recipe& recipe, const Pointer& pointer) {
    return !signs_fields(recipe) || all_have_part(recipe, [&](const Input& input) {
        return input.from == Input::From::item && input.pointer.text() == pointer.text();
    });
}

bool is_covered(const Recipe& recipe, const Fact& fact, const Before& before) {
    switch (fact.from) {
        case Fact::From::header:
        case Fact::From::query:
            return all_have_part(recipe,
                                 [&](const Input& input) { return reads_the_same(fact, before, input); });
        case Fact::From::pointer:
        case Fact::From::digest:
            return covers_pointer(recipe, fact.pointer);
        case Fact::From::body_digest:
        case Fact::From::templated:
            return !signs_fields(recipe);
        case Fact::From::field_digest:  // form_safety.cpp
        case Fact::From::literal:
            return true;
    }
    return false;
}

/// The first fact among the alternatives that is not covered, and not among those that need not be.
const Fact* first_uncovered(const Recipe& recipe, const Facts& alternatives, const Facts& exempt) {
    Before before;
    for (const Joined& facts : alternatives) {
        for (const Fact& fact : facts) {
            const bool is_exempt = std::ranges::any_of(
                exempt, [&](const Joined& one) { return std::ranges::contains(one, fact); });
            if (!is_exempt && !is_covered(recipe, fact, before)) return &fact;
        }
        if (facts.size() == 1) before.push_back(&facts.front());
    }
    return nullptr;
}

/// Of a recipe of trust full or type: effects act on payments without naming a trust.
void check_payment(const Recipe& recipe, auto& check) {
    if (!recipe.payment) return;
    for (const PaymentCase& one : recipe.payment->cases) {
        for (const BodyTest& test : one.when) check.look_at("the kind of payment", test.at);
        const PaymentFields& fields = one.fields;
        for (const Facts* facts : text_facts(fields)) check.look_at("a fact of the payment", *facts);
        for (const AmountField* amount : {&fields.amount, &fields.refunded_total})
            for (const Pointer& place : amount->at) check.look_at("an amount of the payment", place);
        check.look_at("the time of the payment", fields.paid_at);
    }
}

std::string place_of(const Fact& fact) {
    return name_of(Facts{{fact}});
}

class FactsCheck {
public:
    FactsCheck(const Recipe& recipe, config::Problems& problems) : recipe_{recipe}, problems_{problems} {}

    void look_at(std::string_view what, const Facts& facts, const Facts& exempt = {}) {
        if (const Fact* const fact = first_uncovered(recipe_, facts, exempt)) refuse(what, place_of(*fact));
    }
    void look_at(std::string_view what, const std::vector<TimeField>& fields) {
        for (const TimeField& field : fields) look_at(what, Facts{{field.at}});
    }
    void look_at(std::string_view what, const Pointer& pointer) {
        if (!covers_pointer(recipe_, pointer)) refuse(what, pointer.text());
    }

private:
    void refuse(std::string_view what, const std::string& place) {
        problems_.add(
            recipe_.place,
            std::string{what} + " is read from " + place +
                ", which the signature does not cover: anyone who has one delivery could change it. Read it "
                "from what is signed (an id may be {sha256: body}) or from a setting, or set trust: type or "
                "none, so that effects must name that trust to act on the events");
    }

    const Recipe& recipe_;
    config::Problems& problems_;
};

}  // namespace

void check_facts(const Recipe& recipe, config::Problems& problems) {
    if (!covers_body(recipe.trust)) return;
    const Extraction& extraction = recipe.extraction;
    FactsCheck check{recipe, problems};
    const bool has_open_type = recipe.trust == Trust::type;
    check.look_at("the id", extraction.id, has_open_type ? extraction.type : Facts{});
    if (!has_open_type) check.look_at("the type", extraction.type);
    for (const ObjectField& field : extraction.order_by) check.look_at("the object", Facts{field.value});
    check.look_at("the time", extraction.time);
    check.look_at("the day", extraction.day);
    if (extraction.livemode && (!extraction.livemode_is_of_delivery || signs_fields(recipe)))
        check.look_at("livemode", *extraction.livemode);
    for (const DigestParts& parts : extraction.digest)
        for (const Pointer& part : parts) check.look_at("the digest", part);
    check_payment(recipe, check);
}

std::optional<std::string> uncovered_place(const Recipe& recipe, const std::vector<ObjectField>& order_by) {
    if (!covers_body(recipe.trust)) return std::nullopt;
    for (const ObjectField& field : order_by) {
        const Facts facts{field.value};
        if (const Fact* const fact = first_uncovered(recipe, facts, {})) return place_of(*fact);
    }
    return std::nullopt;
}

std::vector<std::string> signed_fields(const Recipe& recipe) {
    std::vector<std::string> fields;
    if (!signs_fields(recipe)) return fields;
    for (const SignedRule::Choice& choice : recipe.signed_rule.choices) {
        for (const SignedPart& part : choice.readings | std::views::join) {
            const bool is_field =
                part.kind == SignedPart::Kind::input && covers_pointer(recipe, part.input.pointer);
            if (is_field && !std::ranges::contains(fields, part.input.pointer.text()))
                fields.push_back(part.input.pointer.text());
        }
    }
    return fields;
}

}  // namespace sluice::webhook
