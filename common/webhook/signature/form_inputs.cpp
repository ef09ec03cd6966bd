#include "common/webhook/signature/form_inputs.hpp"

#include <algorithm>

#include "common/webhook/signature/challenge.hpp"

namespace sluice::webhook {

namespace {

bool is_base64_or_line_feed(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=' || c == '\n';
}

std::string_view text_of_all(const Input& input, Form& form) {
    return input.hashed ? form.sorted_digest(input.names, input.skip_blank)
                        : form.sorted_text(input.names, input.skip_blank);
}

}  // namespace

Checked read_form(const Program& program, std::string_view body, Form& form) {
    if (!form.read(body)) return std::unexpected(Finding{Check::body_grammar, {}});
    const std::size_t most = program.names_are_unique ? form.most_of_a_name() : 0;
    if (most > 1) return std::unexpected(Finding{Check::repeated_field, {}, static_cast<std::int64_t>(most)});
    return {};
}

Checked collect_field(const Program& program, const Input& input, Form& form, std::string_view& value) {
    if (input.from == Input::From::sorted_form) {
        value = text_of_all(input, form);
        return {};
    }
    const Form::Found found = form.find(input.names.front());
    if (found.count > 1)
        return std::unexpected(
            Finding{Check::repeated_field, name_of(input), static_cast<std::int64_t>(found.count)});
    if (found.value.empty() && !input.optional) {
        const bool is_signature = &input == &program.inputs.front();
        return std::unexpected(
            Finding{is_signature ? Check::no_signature : Check::missing_field, name_of(input)});
    }
    // We sign challenges for any client that asks, so none is a message.
    if (!program.challenge.empty() && is_challenge(found.value))
        return std::unexpected(Finding{Check::body_grammar, name_of(input)});
    if (input.base64_lines && !std::ranges::all_of(found.value, is_base64_or_line_feed))
        return std::unexpected(Finding{Check::body_grammar, name_of(input)});
    if (found.count == 1) value = found.value;
    return {};
}

}  // namespace sluice::webhook
