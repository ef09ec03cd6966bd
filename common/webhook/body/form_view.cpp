#include "common/webhook/body/form_view.hpp"

#include "common/webhook/body/charset.hpp"
#include "common/webhook/body/json_text.hpp"

namespace sluice::webhook {

bool append_json_object(std::string& json, const Form& form, std::string_view charset,
                        const std::optional<SortedForm>& sorted) {
    const auto counts = [&](const Form::Field& field) {
        return !sorted || !Form::is_left_out(field, sorted->drop, sorted->skip_blank);
    };
    const std::string_view named = charset.empty() ? std::string_view{} : form.find(charset).value;
    const bool names_charset = counts({charset, named});
    std::string text;
    json += '{';
    for (const Form::Field& field : form.fields()) {
        if (!counts(field)) continue;
        text.clear();
        if (!append_utf8(text, field.value, names_charset ? named : std::string_view{})) return false;
        if (json.back() != '{') json += ',';
        append_json_string(json, field.name);
        json += ':';
        append_json_string(json, text);
    }
    json += '}';
    return true;
}

}  // namespace sluice::webhook
