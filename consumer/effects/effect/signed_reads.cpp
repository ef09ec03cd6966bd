#include "consumer/effects/effect/signed_reads.hpp"

#include <algorithm>
#include <ranges>

#include "common/joined.hpp"
#include "common/record/header_names.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/effects/value/operand.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::effects {
namespace {

/// The pointers that a parameter reads. A recipe reads facts of what is signed (facts_safety.cpp).
std::vector<const webhook::Pointer*> places_of(const Parameter& parameter) {
    std::vector<const webhook::Pointer*> places;
    for (const ValueSource& one : parameter.from) {
        if (one.from == ValueSource::From::body) places.push_back(&one.pointer);
        if (one.minus) places.push_back(&one.minus->pointer);
        if (one.conversion.currency) places.push_back(&*one.conversion.currency);
    }
    return places;
}

void check_place(const webhook::Pointer& pointer, const std::string& reader, const config::Place& place,
                 const webhook::Source& source, config::Problems& problems) {
    if (std::ranges::contains(source.signed_fields, pointer.text())) return;
    problems.add(place,
                 reader + " reads " + pointer.text() + ", which source '" + source.name +
                     "' does not sign: anyone who has one delivery could change it. The signature covers " +
                     joined(source.signed_fields, ", ") +
                     "; to let the effect act on other fields too, set trust: fields under when");
}

/// Whether every signature of the source covers this header wherever it is there, byte by byte. Of an input
/// with several names the first counts, so the others may stand beside it unsigned.
bool signs_header(const webhook::Program& program, std::string_view recorded) {
    const auto covers = [&](std::size_t input) {
        const auto slot = static_cast<std::uint8_t>(input + 1);
        return std::ranges::all_of(program.readings, [slot](const auto& segments) {
            return std::ranges::any_of(segments, [slot](const webhook::Segment& one) {
                return one.slot == slot && (one.only_if == webhook::Segment::always || one.only_if == slot);
            });
        });
    };
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const webhook::Input& input = program.inputs[i];
        if (input.from == webhook::Input::From::header && !input.lower &&
            webhook::is_same_name(input.names.front(), recorded) && covers(i))
            return true;
    }
    return false;
}

/// Headers that a source keeps and does not sign could be anybody's; one that no source keeps is never there.
void check_headers(const Parameter& parameter, const When& when, const webhook::SourceSet& sources,
                   config::Problems& problems) {
    for (const ValueSource& one : parameter.from) {
        if (one.from != ValueSource::From::header) continue;
        const auto name = one.name.substr(record::header::http_prefix.size());
        bool is_kept = false;
        for (const auto& source : sources) {
            if (source->program == nullptr || source->polled || !when.is_for(*source)) continue;
            if (!std::ranges::contains(source->program->recorded_headers, name)) continue;
            is_kept = true;
            if (when.trusts("fields") || signs_header(*source->program, name)) continue;
            problems.add(
                parameter.place,
                ":" + parameter.name + " reads the header " + name + ", which source '" + source->name +
                    "' does not sign: anyone who has one delivery could change it. To let the effect "
                    "act on it all the same, set trust: fields under when");
        }
        if (!is_kept)
            problems.add(parameter.place, ":" + parameter.name + " reads the header " + name +
                                              ", which no source that the effect is for keeps: records have "
                                              "only the headers that a recipe reads");
    }
}

}  // namespace

void check_signed_reads(const Effect& effect, const webhook::SourceSet& sources, config::Problems& problems) {
    for (const Parameter& parameter : effect.let())
        check_headers(parameter, effect.when(), sources, problems);
    if (effect.when().trusts("fields")) return;
    for (const auto& source : sources) {
        if (source->signed_fields.empty() || !effect.when().is_for(*source)) continue;
        for (const Parameter& parameter : effect.let())
            for (const webhook::Pointer* place : places_of(parameter))
                check_place(*place, ":" + parameter.name, parameter.place, *source, problems);
        for (const Parameter& parameter : effect.let())
            if (parameter.made && parameter.made->has_whole_body())
                problems.add(parameter.place,
                             "provider_body has all of the body, of which source '" + source->name +
                                 "' signs only " + joined(source->signed_fields, ", ") +
                                 ": anyone who has one delivery could change the rest; to send it all the "
                                 "same, set trust: fields under when");
        for (const webhook::BodyTest& test : effect.when().body_tests() | std::views::join)
            check_place(test.at, "when.body", effect.when().place_of_body(), *source, problems);
    }
}

}  // namespace sluice::effects
