#include "ctl/send/signing/form_text.hpp"

#include <format>

#include "common/webhook/body/form.hpp"

namespace sluice::ctl {
namespace {

bool stands_for_itself(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view{"*-._"}.contains(c);
}

}  // namespace

std::string form_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        if (stands_for_itself(c)) {
            encoded += c;
        } else if (c == ' ') {
            encoded += '+';
        } else {
            encoded += std::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return encoded;
}

std::string form_text(const FormFields& fields) {
    std::string body;
    for (const auto& [name, value] : fields) append_field(body, name, value);
    return body;
}

FormFields form_fields(std::string_view body) {
    webhook::Form form;
    FormFields fields;
    if (!form.read(body)) return fields;
    for (const auto& [name, value] : form.fields()) fields.emplace_back(name, value);
    return fields;
}

void append_field(std::string& body, std::string_view name, std::string_view value) {
    body += (body.empty() ? "" : "&") + form_encoded(name) + "=" + form_encoded(value);
}

void replace_field(std::string& body, std::string_view name, std::string_view value) {
    FormFields fields = form_fields(body);
    for (auto& field : fields) {
        if (field.first == name) field.second = value;
    }
    body = form_text(fields);
}

}  // namespace sluice::ctl
