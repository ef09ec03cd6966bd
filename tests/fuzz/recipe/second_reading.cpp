#include "tests/fuzz/recipe/second_reading.hpp"

#include "ingress/verify/signed_text.hpp"

namespace sluice::fuzz {
namespace {

using verify::Program;
using verify::Segment;

/// Where the text of a slot may end: any place where the fixed text behind it stands.
std::vector<std::size_t> ends_of(std::string_view text, std::size_t from, std::string_view fixed) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find(fixed, from); at != text.npos; at = text.find(fixed, at + 1))
        ends.push_back(at);
    return ends;
}

/// The slots' texts under another reading of the signed text.
std::optional<std::vector<std::string>> cut_elsewhere(const Program& program, std::string_view text,
                                                      std::uint64_t choice) {
    std::vector<std::string> slots(program.first_pair_slot() + program.pairs.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < program.segments.size(); ++i) {
        const Segment& segment = program.segments[i];
        if (segment.slot == Segment::fixed) {
            if (text.substr(at, segment.text.size()) != segment.text) return std::nullopt;
            at += segment.text.size();
            continue;
        }
        const bool is_last = i + 1 == program.segments.size();
        const auto ends =
            is_last ? std::vector{text.size()} : ends_of(text, at, program.segments[i + 1].text);
        if (ends.empty()) return std::nullopt;
        const std::size_t end = ends[choice % ends.size()];
        choice /= ends.size();
        slots[segment.slot] = text.substr(at, end - at);
        at = end;
    }
    return at == text.size() ? std::optional{slots} : std::nullopt;
}

Letter letter_of(const Program& program, const std::vector<std::string>& slots, std::string_view signature) {
    const verify::SignatureRule& rule = program.signature;
    std::string value{rule.prefix};
    if (rule.container == verify::Container::pairs) {
        for (std::size_t i = 0; i < program.pairs.size(); ++i)
            value += program.pairs[i] + rule.assign + slots[program.first_pair_slot() + i] + rule.separator;
        value += rule.pair + rule.assign;
    }
    value += signature;
    Letter letter{{{program.headers.front(), value}}, slots[Program::body_slot]};
    for (std::size_t i = 1; i < program.headers.size(); ++i)
        letter.headers.emplace_back(program.headers[i], slots[1 + i]);
    return letter;
}

}  // namespace

std::vector<verify::HeaderField> Letter::fields() const {
    std::vector<verify::HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    return fields;
}

std::optional<Letter> second_reading(const Program& program, const verify::SignedInputs& inputs,
                                     std::uint64_t choice) {
    const verify::SignedText signed_text{program, inputs};
    std::string text;
    for (const std::string_view piece : signed_text.pieces()) text += piece;
    const auto slots = cut_elsewhere(program, text, choice);
    if (!slots) return std::nullopt;
    return letter_of(program, *slots, inputs.candidates.front());
}

std::vector<std::string> covered(const Program& program, const verify::SignedInputs& inputs) {
    std::vector<std::string> texts;
    for (const Segment& segment : program.segments)
        if (segment.slot != Segment::fixed) texts.emplace_back(inputs.slots[segment.slot]);
    return texts;
}

}  // namespace sluice::fuzz
