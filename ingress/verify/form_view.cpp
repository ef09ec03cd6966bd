#include "ingress/verify/form_view.hpp"

#include "ingress/verify/charset.hpp"
#include "ingress/verify/json_text.hpp"

namespace sluice::verify {

bool append_json_object(std::string& json, const Form& form, std::string_view charset) {
    const std::string_view named = charset.empty() ? std::string_view{} : form.find(charset).value;
    std::string text;
    json += '{';
    for (const Form::Field& field : form.fields()) {
        text.clear();
        if (!append_utf8(text, field.value, named)) return false;
        if (json.back() != '{') json += ',';
        append_json_string(json, field.name);
        json += ':';
        append_json_string(json, text);
    }
    json += '}';
    return true;
}

}  // namespace sluice::verify
