#include "ctl/cli/output.hpp"

namespace sluice::ctl {
namespace {

bool is_block(const Json& value) {
    return (value.is_object() || value.is_array()) && !value.empty();
}

void append_yaml(std::string& text, const Json& value, std::size_t indent);

void append_child(std::string& text, const Json& value, std::size_t indent) {
    if (!is_block(value)) {
        text += " " + to_line(value) + "\n";
        return;
    }
    text += "\n";
    append_yaml(text, value, indent);
}

void append_yaml(std::string& text, const Json& value, std::size_t indent) {
    const std::string margin(indent, ' ');
    if (value.is_object()) {
        for (const auto& [name, child] : value.items()) {
            text += margin + to_line(Json(name)) + ":";
            append_child(text, child, indent + 2);
        }
        return;
    }
    for (const auto& child : value) {
        text += margin + "-";
        append_child(text, child, indent + 2);
    }
}

}  // namespace

std::string to_yaml(const Json& value) {
    if (!is_block(value)) return to_line(value) + "\n";
    std::string text;
    append_yaml(text, value, 0);
    return text;
}

void print(Console& console, Form form, const Json& value, const std::string& for_people) {
    switch (form) {
        case Form::table:
            console.out << for_people;
            break;
        case Form::json:
            console.out << to_pretty(value) << "\n";
            break;
        case Form::yaml:
            console.out << to_yaml(value);
            break;
    }
    console.out.flush();
}

}  // namespace sluice::ctl
