#include "consumer/effects/effect/impossible_reads.hpp"

#include <algorithm>
#include <ranges>

#include "common/webhook/recipe/program.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::effects {
namespace {

bool are_all_forms(const When& when, const webhook::SourceSet& sources) {
    bool any = false;
    for (const auto& source : sources) {
        if (!when.is_for(*source)) continue;
        if (source->program == nullptr || source->program->body.kind != webhook::BodyRule::Kind::form)
            return false;
        any = true;
    }
    return any;
}

std::string below_a_field(const webhook::Pointer& pointer) {
    if (pointer.tokens().size() < 2) return {};
    return pointer.text() + ", and the body is a form, whose fields have nothing below them: write /" +
           pointer.tokens().front();
}

void check_source(const ValueSource& source, const Parameter& parameter, config::Problems& problems) {
    const auto say = [&](const std::string& sentence) {
        problems.add(parameter.place, ":" + parameter.name + " reads " + sentence);
    };
    if (source.from != ValueSource::From::body) return;
    if (const auto sentence = below_a_field(source.pointer); !sentence.empty()) say(sentence);
    if (source.conversion.as == As::boolean && source.map.empty())
        say(source.pointer.text() +
            " as a boolean, and the body is a form, whose fields are all text: map says what which text "
            "means");
}

}  // namespace

void check_possible_reads(const Effect& effect, const webhook::SourceSet& sources,
                          config::Problems& problems) {
    if (!are_all_forms(effect.when(), sources)) return;
    for (const Parameter& parameter : effect.let())
        for (const ValueSource& source : parameter.from) check_source(source, parameter, problems);
    for (const webhook::BodyTest& test : effect.when().body_tests() | std::views::join)
        if (const auto sentence = below_a_field(test.at); !sentence.empty())
            problems.add(effect.when().place_of_body(), "when.body reads " + sentence);
}

}  // namespace sluice::effects
