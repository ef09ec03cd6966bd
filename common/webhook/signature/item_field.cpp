#include "common/webhook/signature/item_field.hpp"

#include "common/error.hpp"
#include "common/webhook/signature/own_text.hpp"

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

}  // namespace

std::optional<Finding> collect_item_field(const Input& input, const JsonView& item, SignedInputs& inputs,
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
    if (!error || (input.optional && is_absent(item, input.pointer, error))) return std::nullopt;
    return Finding{check_for(error), name_of(input)};
}

}  // namespace sluice::webhook
