#include "common/webhook/signature/signed_inputs.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/http/query.hpp"
#include "common/webhook/signature/form_inputs.hpp"
#include "common/webhook/signature/own_text.hpp"
#include "common/webhook/signature/signature_header.hpp"

namespace sluice::webhook {

namespace {

Check check_for(std::error_code error) {
    if (error == errc::missing_pointer) return Check::missing_field;
    return error == errc::duplicate_key ? Check::repeated_field : Check::body_grammar;
}

/// Or null, which says as much.
bool is_absent(const JsonView& item, const Pointer& pointer, std::error_code error) {
    return error == errc::missing_pointer ||
           (error == errc::wrong_type && item.type(pointer) == JsonType::null);
}

/// A field of one item that takes part in its signature: text, or an integer where the recipe says so.
Checked collect_item_field(const Input& input, const JsonView& item, SignedInputs& inputs,
                           std::string_view& value) {
    std::error_code error;
    if (input.integer) {
        const auto number = item.integer(input.pointer);
        if (number) value = own_integer(inputs, *number);
        if (!number) error = number.error();
    } else {
        const auto text = item.string(input.pointer);
        if (text) value = *text;
        if (!text) error = text.error();
    }
    if (!error || (input.optional && is_absent(item, input.pointer, error))) return {};
    return std::unexpected(Finding{check_for(error), name_of(input)});
}

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
Checked collect_header(const Program& program, const Input& input, const Request& request,
                       std::string_view& value) {
    const bool may_be_empty = input.optional || &input == &program.inputs.front();
    for (const std::string_view name : input.names) {
        const std::size_t count = count_header(request, name, value);
        if (count == 1 && value.empty() && !may_be_empty)
            return std::unexpected(Finding{Check::missing_header, name});
        if (count == 1) return {};
        if (count > 1)
            return std::unexpected(Finding{Check::repeated_header, name, static_cast<std::int64_t>(count)});
    }
    if (input.optional) return {};
    return std::unexpected(Finding{Check::missing_header, name_of(input)});
}

Checked collect_query(const Input& input, const Request& request, SignedInputs& inputs,
                      std::string_view& value) {
    const QueryValue found = find_in_query(request.target, input.names.front());
    if (found.count > 1) {
        return std::unexpected(
            Finding{Check::repeated_field, name_of(input), static_cast<std::int64_t>(found.count)});
    }
    if (found.encoded.empty()) {
        if (input.optional) return {};
        return std::unexpected(Finding{Check::missing_field, name_of(input)});
    }
    const auto decoded = own_decoded(inputs, found.encoded);
    if (!decoded) return std::unexpected(Finding{Check::header_grammar, name_of(input)});
    value = *decoded;
    return {};
}

Checked collect_one(const Program& program, const Input& input, const Request& request, Form& form,
                    const JsonView* item, SignedInputs& inputs, std::string_view& value) {
    if (input.from == Input::From::item) return collect_item_field(input, *item, inputs, value);
    if (input.from == Input::From::form || input.from == Input::From::sorted_form)
        return collect_field(program, input, form, value);
    if (input.from == Input::From::crc32) {
        value = own_crc32(inputs, request.body);
        return {};
    }
    const Checked collected = input.from == Input::From::query
                                  ? collect_query(input, request, inputs, value)
                                  : collect_header(program, input, request, value);
    if (!collected) return collected;
    if (value.size() > program.signature.longest) {
        return std::unexpected(
            Finding{Check::header_too_long, name_of(input), static_cast<std::int64_t>(value.size())});
    }
    if (!input.lower || value.data() == nullptr) return {};
    const auto lower = own_lower_case(inputs, value);
    if (!lower)
        return std::unexpected(
            Finding{Check::header_too_long, name_of(input), static_cast<std::int64_t>(value.size())});
    value = *lower;
    return {};
}

/// What a request says about its scheme must be what the recipe says.
Checked check_pinned(const Program& program, const SignedInputs& inputs) {
    for (const FixedSlot& one : program.pinned) {
        if (!inputs.has(one.slot) || inputs.slots[one.slot] == one.text) continue;
        const bool is_field = program.input_of(one.slot).from == Input::From::form;
        return std::unexpected(
            Finding{is_field ? Check::not_bound : Check::header_grammar, program.name_of_slot(one.slot)});
    }
    return {};
}

/// A value that holds the text which is meant to end it gives the signed text two readings.
Checked check_unambiguous(const Program& program, const SignedInputs& inputs) {
    for (const auto& reading : program.readings) {
        for (const Segment& segment : reading) {
            if (segment.excluded.empty() || !inputs.slots[segment.slot].contains(segment.excluded)) continue;
            const bool is_field = program.input_of(segment.slot).from == Input::From::item;
            return std::unexpected(Finding{is_field ? Check::body_grammar : Check::header_grammar,
                                           program.name_of_slot(segment.slot)});
        }
    }
    return {};
}

}  // namespace

Checked collect(const Program& program, const Request& request, Form& form, SignedInputs& inputs,
                const JsonView* item) {
    inputs.clear(program);
    inputs.slots[Program::body_slot] = request.body;
    if (program.reads_form) {
        if (const Checked read = read_form(program, request.body, form); !read) return read;
    }
    for (std::size_t i = 0; i < program.first_pair; ++i) {
        Checked collected =
            collect_one(program, program.inputs[i], request, form, item, inputs, inputs.slots[1 + i]);
        if (collected) continue;
        Check& check = collected.error().check;
        const bool is_item_signature =
            1 + i == Program::signature_slot && program.inputs[i].from == Input::From::item;
        if (is_item_signature && check == Check::missing_field) check = Check::no_signature;
        return collected;
    }
    if (const Checked pinned = check_pinned(program, inputs); !pinned) return pinned;
    if (const Checked taken = take_apart(program, inputs); !taken) return taken;
    return check_unambiguous(program, inputs);
}

}  // namespace sluice::webhook
