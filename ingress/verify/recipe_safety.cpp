#include "ingress/verify/recipe_safety.hpp"

#include <algorithm>

#include "ingress/verify/header_lookup.hpp"

namespace sluice::verify {

namespace {

using Kind = SignedPart::Kind;

/// Whether this part is the timestamp, by whatever name.
bool is_timestamp(const Recipe& recipe, const SignedPart& part) {
    const TimestampRule& time = recipe.timestamp;
    if (part.kind == Kind::timestamp) return true;
    if (part.kind == Kind::pair) return time.in == TimestampRule::In::pair && part.text == time.name;
    return part.kind == Kind::header && time.in == TimestampRule::In::header &&
           is_same_name(part.text, time.name);
}

void check_coverage(const Recipe& recipe, config::Problems& problems) {
    const auto& parts = recipe.signed_parts;
    const auto bodies = std::ranges::count(parts, Kind::body, &SignedPart::kind);
    if (bodies == 0)
        problems.add(recipe.place, "the signature does not cover the body: anybody could change it");
    if (bodies > 1) problems.add(recipe.place, "the body stands twice in what is signed");
    if (recipe.timestamp.in == TimestampRule::In::none) {
        const bool names_one = std::ranges::contains(parts, Kind::timestamp, &SignedPart::kind);
        if (names_one) problems.add(recipe.place, "signed names the timestamp, but timestamp is none");
        return;
    }
    if (std::ranges::none_of(parts, [&](const auto& part) { return is_timestamp(recipe, part); })) {
        problems.add(recipe.place,
                     "the signature does not cover the timestamp: an old request could be given a new one");
    }
}

/// Parts of the message need a fixed text between them, and nothing but fixed text may follow the
/// body, or bytes could move from one to the next under the same signature.
void check_readings(const Recipe& recipe, config::Problems& problems) {
    bool after_variable = false;
    bool after_timestamp = false;
    bool after_body = false;
    for (const SignedPart& part : recipe.signed_parts) {
        const bool is_variable = part.kind != Kind::literal;
        if (after_timestamp && !is_variable && part.text.front() >= '0' && part.text.front() <= '9') {
            problems.add(part.place, "a literal behind the timestamp cannot begin with a digit");
        }
        if (is_variable && after_body) problems.add(part.place, "only literals may follow the body");
        if (is_variable && after_variable && !after_body) {
            problems.add(part.place,
                         "two parts of the message stand next to each other without a literal between them");
        }
        after_variable = is_variable;
        after_timestamp = is_variable && is_timestamp(recipe, part);
        after_body |= part.kind == Kind::body;
    }
}

/// The header of the signatures and the pairs in it have one meaning each.
void check_names(const Recipe& recipe, config::Problems& problems) {
    const bool has_pairs = recipe.signature.container == Container::pairs;
    const auto check_pair = [&](const std::string& name, const config::Place& place) {
        if (!has_pairs) problems.add(place, "there is no pair \"" + name + "\": the container has no pairs");
        if (has_pairs && name == recipe.signature.pair)
            problems.add(place, "a signature cannot be part of what it signs");
    };
    const auto check_header = [&](const std::string& name, const config::Place& place) {
        if (is_same_name(name, recipe.signature.header))
            problems.add(place, "a signature cannot be part of what it signs");
    };
    if (recipe.timestamp.in == TimestampRule::In::pair) check_pair(recipe.timestamp.name, recipe.place);
    if (recipe.timestamp.in == TimestampRule::In::header) check_header(recipe.timestamp.name, recipe.place);
    for (const SignedPart& part : recipe.signed_parts) {
        if (part.kind == Kind::pair) check_pair(part.text, part.place);
        if (part.kind == Kind::header) check_header(part.text, part.place);
    }
}

}  // namespace

void check_safety(const Recipe& recipe, config::Problems& problems) {
    check_coverage(recipe, problems);
    check_readings(recipe, problems);
    check_names(recipe, problems);
}

}  // namespace sluice::verify
