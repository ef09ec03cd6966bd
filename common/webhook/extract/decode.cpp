#include "common/webhook/extract/decode.hpp"

#include "common/error.hpp"
#include "common/webhook/body/form.hpp"
#include "common/webhook/body/form_view.hpp"
#include "common/webhook/body/sealed_resource.hpp"
#include "common/webhook/body/xml_view.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

namespace {

/// What one thread needs between body and view.
struct Decoding {
    Form form;
    std::string json;
    SealedResource sealed;
    XmlView xml;
};

Decoding& decoding() {
    thread_local Decoding one;
    one.json.clear();
    return one;
}

Result<void> as_it_is(std::string_view body, JsonView& view, bool is_padded) {
    return is_padded ? view.read_padded(body) : view.read(body);
}

/// A form that could be written in another way under the same signature is ambiguous.
bool has_one_reading(const BodyRule& rule, Form& form) {
    return !rule.sorted || !form.has_other_reading(rule.sorted->drop, rule.sorted->skip_blank);
}

Result<void> fields(const BodyRule& rule, std::string_view body, JsonView& view) {
    auto& [form, json, sealed, xml] = decoding();
    const bool is_text = form.read(body) && has_one_reading(rule, form) &&
                         append_json_object(json, form, rule.charset, rule.sorted);
    return view.read(is_text ? std::string_view{json} : std::string_view{});
}

bool begins_with_field(std::string_view body, std::string_view name) {
    return body.starts_with(name) && body.substr(name.size()).starts_with('=');
}

/// The JSON that a field holds.
Result<void> in_field(const BodyRule& rule, std::string_view body, JsonView& view) {
    Form& form = decoding().form;
    const Form::Found found = form.read(body) ? form.find(rule.field) : Form::Found{};
    return view.read(found.count == 1 ? found.value : std::string_view{});
}

/// The XML that a field holds.
Result<void> xml_in_field(const BodyRule& rule, std::string_view body, JsonView& view) {
    auto& [form, json, sealed, xml] = decoding();
    const Form::Found found = form.read(body) ? form.find(rule.field) : Form::Found{};
    const bool is_xml = found.count == 1 && xml.append_base64(json, found.value);
    return view.read(is_xml ? std::string_view{json} : std::string_view{});
}

const Pointer& opened_part() {
    static const Pointer pointer = Pointer::parse("/decrypted").value();
    return pointer;
}

/// As an operator edits it: whoever wrote it has opened the encrypted part.
bool has_opened_part(const JsonView& view) {
    const auto type = view.type(opened_part());
    return type || type.error() != errc::missing_pointer;
}

/// The document together with its decrypted part.
Result<void> decrypted(const Program& program, std::string_view body, JsonView& view, bool is_padded) {
    if (const auto read = as_it_is(body, view, is_padded); !read) return read;
    auto& [form, json, sealed, xml] = decoding();
    const bool is_open = sealed.open(*program.body.encrypted, program.body_key, body, view, json);
    return view.read(is_open ? std::string_view{json} : std::string_view{});
}

}  // namespace

Result<void> decode(const Source& source, std::string_view body, JsonView& view, bool is_padded) {
    const BodyRule& rule = source.program->body;
    switch (rule.kind) {
        case BodyRule::Kind::json:
            if (rule.encrypted) return decrypted(*source.program, body, view, is_padded);
            break;
        case BodyRule::Kind::json_or_form:
            if (begins_with_field(body, rule.field)) return in_field(rule, body, view);
            break;
        case BodyRule::Kind::form:
            return fields(rule, body, view);
        case BodyRule::Kind::xml_in_form:
            return xml_in_field(rule, body, view);
    }
    return as_it_is(body, view, is_padded);
}

Result<void> decode_edited(const Source& source, std::string_view body, JsonView& view) {
    if (source.program->body.encrypted && view.read(body) && has_opened_part(view)) return {};
    return decode(source, body, view);
}

Result<std::optional<std::string>> opened_body(const Source& source, std::string_view body) {
    if (!source.program->body.encrypted) return std::nullopt;
    JsonView view;
    if (const auto read = view.read(body); !read) return Failure{read.error()};
    if (has_opened_part(view)) return std::nullopt;
    const std::string& json = decoding().json;  // what `decode` makes and reads
    if (const auto read = decode(source, body, view); !read) return Failure{read.error()};
    return std::optional{json};
}

}  // namespace sluice::webhook
