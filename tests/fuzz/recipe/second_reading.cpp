#include "tests/fuzz/recipe/second_reading.hpp"

#include "common/webhook/signature/signed_text.hpp"

namespace sluice::fuzz {
namespace {

using webhook::Program;
using webhook::Segment;

/// Where the text of a slot may end: any place where the fixed text behind it stands.
std::vector<std::size_t> ends_of(std::string_view text, std::size_t from, std::string_view fixed) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find(fixed, from); at != text.npos; at = text.find(fixed, at + 1))
        ends.push_back(at);
    return ends;
}

/// The segments of the first reading that this request has.
std::vector<Segment> segments_of(const Program& program, const webhook::SignedInputs& inputs) {
    std::vector<Segment> segments;
    for (const Segment& segment : program.readings.front()) {
        if (segment.only_if == Segment::always || inputs.has(segment.only_if)) segments.push_back(segment);
    }
    return segments;
}

using Slots = std::vector<std::optional<std::string>>;

/// The slots' texts under another reading of the signed text.
std::optional<Slots> cut_elsewhere(const std::vector<Segment>& segments, std::size_t slot_count,
                                   std::string_view text, std::uint64_t choice) {
    Slots slots(slot_count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = segments[i];
        if (segment.slot == Segment::fixed) {
            if (text.substr(at, segment.text.size()) != segment.text) return std::nullopt;
            at += segment.text.size();
            continue;
        }
        const bool is_last = i + 1 == segments.size();
        const auto ends = is_last ? std::vector{text.size()} : ends_of(text, at, segments[i + 1].text);
        if (ends.empty()) return std::nullopt;
        const std::size_t end = ends[choice % ends.size()];
        choice /= ends.size();
        slots[segment.slot] = text.substr(at, end - at);
        at = end;
    }
    return at == text.size() ? std::optional{slots} : std::nullopt;
}

Letter letter_of(const Program& program, const Slots& slots, const webhook::Candidate& signature) {
    const webhook::SignatureRule& rule = program.signature;
    std::string value{rule.prefix};
    if (rule.container == webhook::Container::labelled) value = std::string{signature.label} + rule.assign;
    if (rule.container == webhook::Container::pairs) {
        for (std::size_t i = program.first_pair; i < program.inputs.size(); ++i)
            value +=
                program.inputs[i].names.front() + rule.assign + slots[1 + i].value_or("") + rule.separator;
        value += rule.pair + rule.assign;
    }
    value += signature.text;
    Letter letter{{{program.headers.front(), value}}, slots[Program::body_slot].value_or("")};
    for (std::size_t i = 1; i < program.first_pair; ++i) {
        const webhook::Input& input = program.inputs[i];
        if (input.from == webhook::Input::From::header && slots[1 + i])
            letter.headers.emplace_back(input.names.front(), *slots[1 + i]);
    }
    return letter;
}

}  // namespace

std::vector<webhook::HeaderField> Letter::fields() const {
    std::vector<webhook::HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    return fields;
}

std::optional<Letter> second_reading(const Program& program, const webhook::SignedInputs& inputs,
                                     std::uint64_t choice) {
    const webhook::SignedText signed_text{program.readings.front(), inputs};
    std::string text;
    for (const std::string_view piece : signed_text.pieces()) text += piece;
    auto slots = cut_elsewhere(segments_of(program, inputs), 1 + program.inputs.size(), text, choice);
    if (!slots) return std::nullopt;
    for (std::uint8_t slot = 0; slot < slots->size(); ++slot)  // what nothing covers stays as it is
        if (!(*slots)[slot] && inputs.has(slot)) (*slots)[slot] = inputs.slots[slot];
    return letter_of(program, *slots, inputs.candidates.front());
}

std::vector<std::string> covered(const Program& program, const webhook::SignedInputs& inputs) {
    std::vector<std::string> texts;
    for (const Segment& segment : segments_of(program, inputs))
        if (segment.slot != Segment::fixed) texts.emplace_back(inputs.slots[segment.slot]);
    return texts;
}

}  // namespace sluice::fuzz
