#include "common/webhook/signature/signed_inputs.hpp"

#include <algorithm>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/http/query.hpp"
#include "common/webhook/signature/form_inputs.hpp"
#include "common/webhook/signature/item_field.hpp"
#include "common/webhook/signature/own_text.hpp"
#include "common/webhook/signature/signature_header.hpp"

namespace sluice::webhook {

namespace {

/// How often a header of that name is there; `value` is the last one's.
std::size_t count_header(const Request& request, std::string_view name, std::string_view& value) {
    std::size_t count = 0;
    for (const HeaderField& field : request.headers) {
        if (!is_same_name(field.name, name)) continue;
        value = field.value;
        ++count;
    }
    return count;
}

/// The one value of a header that takes part, under the first of its names that is there. An empty one says
/// no more than none, as in the SDKs; of the signature's own header its grammar says what is wrong.
std::optional<Finding> collect_header(const Program& program, const Input& input, const Request& request,
                                      std::string_view& value) {
    const bool may_be_empty = input.optional || &input == &program.inputs.front();
    for (const std::string_view name : input.names) {
        const std::size_t count = count_header(request, name, value);
        if (count == 1 && value.empty() && !may_be_empty) return Finding{Check::missing_header, name};
        if (count == 1) return std::nullopt;
        if (count > 1) return Finding{Check::repeated_header, name, static_cast<std::int64_t>(count)};
    }
    if (input.optional) return std::nullopt;
    return Finding{Check::missing_header, name_of(input)};
}

std::optional<Finding> collect_query(const Input& input, const Request& request, SignedInputs& inputs,
                                     std::string_view& value) {
    const QueryValue found = find_in_query(request.target, input.names.front());
    if (found.count > 1) {
        return Finding{Check::repeated_field, name_of(input), static_cast<std::int64_t>(found.count)};
    }
    if (found.encoded.empty()) {
        if (input.optional) return std::nullopt;
        return Finding{Check::missing_field, name_of(input)};
    }
    const auto decoded = own_decoded(inputs, found.encoded);
    if (!decoded) return Finding{Check::header_grammar, name_of(input)};
    value = *decoded;
    return std::nullopt;
}

std::optional<Finding> collect_one(const Program& program, const Input& input, const Request& request,
                                   Form& form, const JsonView* item, SignedInputs& inputs,
                                   std::string_view& value) {
    if (input.from == Input::From::item) return collect_item_field(input, *item, inputs, value);
    if (input.from == Input::From::form || input.from == Input::From::sorted_form)
        return collect_field(program, input, form, value);
    if (input.from == Input::From::crc32) {
        value = own_crc32(inputs, request.body);
        return std::nullopt;
    }
    const auto finding = input.from == Input::From::query ? collect_query(input, request, inputs, value)
                                                          : collect_header(program, input, request, value);
    if (finding) return finding;
    if (value.size() > program.signature.longest) {
        return Finding{Check::header_too_long, name_of(input), static_cast<std::int64_t>(value.size())};
    }
    if (!input.lower || value.data() == nullptr) return std::nullopt;
    const auto lower = own_lower_case(inputs, value);
    if (!lower)
        return Finding{Check::header_too_long, name_of(input), static_cast<std::int64_t>(value.size())};
    value = *lower;
    return std::nullopt;
}

/// What a request says about its scheme must be what the recipe says.
std::optional<Finding> find_unpinned(const Program& program, const SignedInputs& inputs) {
    for (const FixedSlot& one : program.pinned) {
        if (!inputs.has(one.slot) || inputs.slots[one.slot] == one.text) continue;
        const bool is_field = program.input_of(one.slot).from == Input::From::form;
        return Finding{is_field ? Check::not_bound : Check::header_grammar, program.name_of_slot(one.slot)};
    }
    return std::nullopt;
}

/// A value that holds the text which is meant to end it gives the signed text two readings.
std::optional<Finding> find_ambiguity(const Program& program, const SignedInputs& inputs) {
    for (const auto& reading : program.readings) {
        for (const Segment& segment : reading) {
            if (segment.excluded.empty() || !inputs.slots[segment.slot].contains(segment.excluded)) continue;
            const bool is_field = program.input_of(segment.slot).from == Input::From::item;
            return Finding{is_field ? Check::body_grammar : Check::header_grammar,
                           program.name_of_slot(segment.slot)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Finding> collect(const Program& program, const Request& request, Form& form,
                               SignedInputs& inputs, const JsonView* item) {
    inputs.clear(program);
    inputs.slots[Program::body_slot] = request.body;
    if (program.reads_form) {
        if (auto finding = read_form(program, request.body, form)) return finding;
    }
    for (std::size_t i = 0; i < program.first_pair; ++i) {
        auto finding =
            collect_one(program, program.inputs[i], request, form, item, inputs, inputs.slots[1 + i]);
        if (!finding) continue;
        const bool is_item_signature =
            1 + i == Program::signature_slot && program.inputs[i].from == Input::From::item;
        if (is_item_signature && finding->check == Check::missing_field) finding->check = Check::no_signature;
        return finding;
    }
    if (auto finding = find_unpinned(program, inputs)) return finding;
    if (auto finding = take_apart(program, inputs)) return finding;
    return find_ambiguity(program, inputs);
}

}  // namespace sluice::webhook
