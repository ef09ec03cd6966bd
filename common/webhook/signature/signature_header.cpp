#include "common/webhook/signature/signature_header.hpp"

#include <algorithm>
#include <span>

#include "common/webhook/http/trimmed.hpp"

namespace sluice::webhook {

namespace {

/// The elements of a signature header, one after the other: name=value,name=value or label,value label,value.
class ElementsReader {
public:
    ElementsReader(const Program& program, SignedInputs& inputs) : program_(program), inputs_(inputs) {}

    Checked read(std::string_view header) {
        const SignatureRule& rule = program_.signature;
        for (std::size_t at = 0; at <= header.size();) {
            const std::size_t end = std::min(header.find(rule.separator, at), header.size());
            read_element(header.substr(at, end - at));
            at = end + 1;
        }
        if (elements_ == 0) return std::unexpected(no_elements());
        return verdict();
    }

private:
    void read_element(std::string_view element) {
        const std::size_t split = element.find(program_.signature.assign);
        if (split == std::string_view::npos) return;
        ++elements_;
        std::string_view name = element.substr(0, split);
        std::string_view value = element.substr(split + 1);
        if (program_.signature.trims) {
            name = trimmed(name);
            value = trimmed(value);
        }
        if (program_.signature.container == Container::labelled) return read_labelled(name, value);
        if (name == program_.signature.pair) add_candidate({value, {}});
        for (std::size_t i = program_.first_pair; i < program_.inputs.size(); ++i) {
            if (name != program_.inputs[i].names.front()) continue;
            inputs_.slots[1 + i] = value;
            ++seen_[i];
        }
    }

    void read_labelled(std::string_view label, std::string_view value) {
        if (!std::ranges::contains(program_.keys, label, &Key::label)) return;
        const auto kept = std::min(inputs_.candidate_count, program_.signature.most);
        repeated_ |=
            std::ranges::contains(std::span(inputs_.candidates).first(kept), label, &Candidate::label);
        add_candidate({value, label});
    }

    void add_candidate(const Candidate& candidate) {
        if (inputs_.candidate_count < program_.signature.most)
            inputs_.candidates[inputs_.candidate_count] = candidate;
        ++inputs_.candidate_count;
    }

    [[nodiscard]] std::string_view header() const { return program_.name_of_slot(Program::signature_slot); }
    [[nodiscard]] Finding grammar() const { return {Check::header_grammar, header()}; }

    /// A field may be there and hold nothing for us, which a header may not.
    [[nodiscard]] Finding no_elements() const {
        const bool is_field = program_.signature.input.from == Input::From::form;
        return is_field ? Finding{Check::no_signature, header()} : grammar();
    }

    [[nodiscard]] Checked verdict() const {
        for (std::size_t i = program_.first_pair; i < program_.inputs.size(); ++i) {
            if (seen_[i] == 1) continue;
            if (1 + i != program_.timestamp_slot) return std::unexpected(grammar());
            return std::unexpected(
                Finding{seen_[i] == 0 ? Check::missing_timestamp : Check::repeated_timestamp, header(),
                        static_cast<std::int64_t>(seen_[i])});
        }
        if (!program_.signature.is_by_key()) return {};
        if (inputs_.candidate_count == 0) return std::unexpected(Finding{Check::unknown_key, header()});
        if (repeated_) return std::unexpected(Finding{Check::repeated_field, header(), 2});
        return {};
    }

    const Program& program_;
    SignedInputs& inputs_;
    std::array<std::size_t, most_slots> seen_{};
    std::size_t elements_ = 0;
    bool repeated_ = false;  // a label that stands for one key
};

}  // namespace

Checked take_apart(const Program& program, SignedInputs& inputs) {
    const std::string_view header = inputs.slots[Program::signature_slot];
    const SignatureRule& rule = program.signature;
    if (rule.container == Container::pairs || rule.container == Container::labelled) {
        return ElementsReader(program, inputs).read(header);
    }
    const bool has_prefix = header.starts_with(rule.prefix);
    if (!has_prefix && !rule.prefix_may_lack) {
        return std::unexpected(Finding{Check::header_grammar, program.name_of_slot(Program::signature_slot)});
    }
    if (!rule.probe.empty() && header.starts_with(rule.probe))
        return std::unexpected(Finding{Check::probe, program.name_of_slot(Program::signature_slot)});
    inputs.candidates[0] = {header.substr(has_prefix ? rule.prefix.size() : 0), {}};
    inputs.candidate_count = inputs.candidates[0].text.empty() ? 0 : 1;
    return {};
}

}  // namespace sluice::webhook
