#include "ingress/verify/compile.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "ingress/verify/header_lookup.hpp"
#include "ingress/verify/scratch.hpp"

namespace sluice::verify {

namespace {

using Kind = SignedPart::Kind;

// Parts of the message have literals between them, so half of the segments are slots at most; the
// body, the signature's header and an unnamed timestamp come on top.
static_assert(most_segments / 2 + 3 <= most_slots);

void add_once(std::vector<std::string>& names, const std::string& name, bool is_header) {
    const auto is_it = [&](const std::string& known) {
        return is_header ? is_same_name(known, name) : known == name;
    };
    if (std::ranges::none_of(names, is_it)) names.push_back(name);
}

std::string in_lower_case(std::string name) {
    std::ranges::transform(name, name.begin(), lower_case);
    return name;
}

/// The headers and pairs that take part, each once; the signature's header first.
void name_slots(const Recipe& recipe, Program& program) {
    program.headers.push_back(recipe.signature.header);
    const TimestampRule& time = recipe.timestamp;
    if (time.in == TimestampRule::In::header) add_once(program.headers, time.name, true);
    if (time.in == TimestampRule::In::pair) add_once(program.pairs, time.name, false);
    for (const SignedPart& part : recipe.signed_parts) {
        if (part.kind == Kind::header) add_once(program.headers, part.text, true);
        if (part.kind == Kind::pair) add_once(program.pairs, part.text, false);
    }
    std::ranges::transform(program.headers, std::back_inserter(program.recorded_headers), in_lower_case);
}

std::uint8_t header_slot(const Program& program, std::string_view name) {
    const auto found =
        std::ranges::find_if(program.headers, [&](const auto& h) { return is_same_name(h, name); });
    return static_cast<std::uint8_t>(1 + (found - program.headers.begin()));
}

std::uint8_t pair_slot(const Program& program, std::string_view name) {
    const auto found = std::ranges::find(program.pairs, name);
    return static_cast<std::uint8_t>(program.first_pair_slot() +
                                     static_cast<std::size_t>(found - program.pairs.begin()));
}

std::uint8_t slot_of(const Program& program, const SignedPart& part) {
    switch (part.kind) {
        case Kind::literal:
            return Segment::fixed;
        case Kind::body:
            return Program::body_slot;
        case Kind::timestamp:
            return program.timestamp_slot;
        case Kind::header:
            return header_slot(program, part.text);
        case Kind::pair:
            return pair_slot(program, part.text);
    }
    return Segment::fixed;
}

/// Neighbouring literals become one, so that what ends a part of the message is known whole.
void add_segment(Program& program, const SignedPart& part) {
    const std::uint8_t slot = slot_of(program, part);
    const bool is_fixed = slot == Segment::fixed;
    if (is_fixed && !program.segments.empty() && program.segments.back().slot == Segment::fixed) {
        program.segments.back().text += part.text;
        return;
    }
    program.segments.push_back({slot, is_fixed ? part.text : std::string{}, {}});
}

/// A timestamp is digits only and the body comes last: neither can be mistaken for what follows.
void exclude_endings(Program& program) {
    for (std::size_t i = 0; i + 1 < program.segments.size(); ++i) {
        Segment& segment = program.segments[i];
        const bool is_plain = segment.slot == Segment::fixed || segment.slot == Program::body_slot;
        const bool is_digits = program.has_timestamp() && segment.slot == program.timestamp_slot;
        if (!is_plain && !is_digits) segment.excluded = program.segments[i + 1].text;
    }
}

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void destroy(const Program* program) {
    delete program;
    count_gone_program();
}

}  // namespace

decltype(Source::program) compile(const Recipe& recipe, ProgramSettings settings) {
    auto program = std::make_unique<Program>();
    name_slots(recipe, *program);
    const TimestampRule& time = recipe.timestamp;
    if (time.in == TimestampRule::In::header) program->timestamp_slot = header_slot(*program, time.name);
    if (time.in == TimestampRule::In::pair) program->timestamp_slot = pair_slot(*program, time.name);
    program->signature = recipe.signature;
    program->past = settings.tolerance.value_or(time.past);
    program->future = settings.tolerance.value_or(time.future);
    for (const SignedPart& part : recipe.signed_parts) add_segment(*program, part);
    exclude_endings(*program);
    program->keys = std::move(settings.keys);
    program->extraction = recipe.extraction;
    if (settings.order_by) program->extraction.order_by = std::move(*settings.order_by);
    program->serial = next_serial();
    return {program.release(), destroy};
}

}  // namespace sluice::verify
