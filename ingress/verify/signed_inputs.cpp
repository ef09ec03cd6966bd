#include "ingress/verify/signed_inputs.hpp"

#include <algorithm>

#include "ingress/verify/header_lookup.hpp"

namespace sluice::verify {

namespace {

/// The one value of a header that takes part.
std::optional<Finding> collect_header(const Program& program, std::size_t index, const Request& request,
                                      std::string_view& value) {
    const std::string_view name = program.headers[index];
    std::size_t count = 0;
    for (const HeaderField& field : request.headers) {
        if (!is_same_name(field.name, name)) continue;
        value = field.value;
        ++count;
    }
    if (count == 0) return Finding{Check::missing_header, name};
    if (count > 1) return Finding{Check::repeated_header, name, static_cast<std::int64_t>(count)};
    if (value.size() > program.signature.longest) {
        return Finding{Check::header_too_long, name, static_cast<std::int64_t>(value.size())};
    }
    return std::nullopt;
}

/// The pairs of a signature header, one after the other.
class PairsReader {
public:
    PairsReader(const Program& program, SignedInputs& inputs) : program_(program), inputs_(inputs) {}

    std::optional<Finding> read(std::string_view header) {
        for (std::size_t at = 0; at <= header.size();) {
            const std::size_t end = std::min(header.find(program_.signature.separator, at), header.size());
            read_element(header.substr(at, end - at));
            at = end + 1;
        }
        return verdict();
    }

private:
    void read_element(std::string_view element) {
        const std::size_t split = element.find(program_.signature.assign);
        if (split == std::string_view::npos) return;
        ++pairs_;
        const std::string_view name = element.substr(0, split);
        const std::string_view value = element.substr(split + 1);
        if (name == program_.signature.pair) add_candidate(value);
        for (std::size_t i = 0; i < program_.pairs.size(); ++i) {
            if (name != program_.pairs[i]) continue;
            inputs_.slots[program_.first_pair_slot() + i] = value;
            ++seen_[i];
        }
    }

    void add_candidate(std::string_view value) {
        if (inputs_.candidate_count < program_.signature.most)
            inputs_.candidates[inputs_.candidate_count] = value;
        ++inputs_.candidate_count;
    }

    /// Everything is read before anything is judged, so that what is said first does not depend on
    /// the order in which the sender wrote the pairs.
    std::optional<Finding> verdict() {
        const std::string_view header = program_.headers.front();
        if (pairs_ == 0) return Finding{Check::header_grammar, header};
        for (std::size_t i = 0; i < program_.pairs.size(); ++i) {
            const bool is_time = program_.first_pair_slot() + i == program_.timestamp_slot;
            if (seen_[i] == 1) continue;
            if (!is_time) return Finding{Check::header_grammar, header};
            return Finding{seen_[i] == 0 ? Check::missing_timestamp : Check::repeated_timestamp, header,
                           static_cast<std::int64_t>(seen_[i])};
        }
        return std::nullopt;
    }

    const Program& program_;
    SignedInputs& inputs_;
    std::array<std::size_t, most_slots> seen_{};
    std::size_t pairs_ = 0;
};

std::optional<Finding> take_apart(const Program& program, SignedInputs& inputs) {
    const std::string_view header = inputs.slots[Program::signature_slot];
    const SignatureRule& rule = program.signature;
    if (rule.container == Container::pairs) return PairsReader(program, inputs).read(header);
    if (!header.starts_with(rule.prefix)) return Finding{Check::header_grammar, program.headers.front()};
    inputs.candidates[0] = header.substr(rule.prefix.size());
    inputs.candidate_count = inputs.candidates[0].empty() ? 0 : 1;
    return std::nullopt;
}

/// A value that holds the text which is meant to end it gives the signed text two readings.
std::optional<Finding> find_ambiguity(const Program& program, const SignedInputs& inputs) {
    for (const Segment& segment : program.segments) {
        if (segment.excluded.empty() || !inputs.slots[segment.slot].contains(segment.excluded)) continue;
        const bool is_header = segment.slot < program.first_pair_slot();
        return Finding{Check::header_grammar, program.headers[is_header ? segment.slot - 1u : 0u]};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Finding> collect(const Program& program, const Request& request, SignedInputs& inputs) {
    inputs.slots[Program::body_slot] = request.body;
    for (std::size_t i = 0; i < program.headers.size(); ++i) {
        if (auto finding = collect_header(program, i, request, inputs.slots[1 + i])) return finding;
    }
    if (auto finding = take_apart(program, inputs)) return finding;
    return find_ambiguity(program, inputs);
}

}  // namespace sluice::verify
