#include "ctl/send/signing/signature_place.hpp"

#include "ctl/send/signing/form_text.hpp"

namespace sluice::ctl {

using webhook::Container;
using webhook::Input;

std::string signature_value(const webhook::Program& program, const SigningKey& key,
                            const std::string& timestamp, std::string_view written) {
    const webhook::SignatureRule& rule = program.signature;
    const std::string signature{written};
    if (rule.container == Container::labelled) return key.label() + rule.assign + signature;
    if (rule.container != Container::pairs) return rule.prefix + signature;
    std::string value;
    for (std::size_t i = program.first_pair; i < program.inputs.size(); ++i)
        value += program.inputs[i].names.front() + rule.assign + timestamp + rule.separator;
    return value + rule.pair + rule.assign + signature;
}

void place_signature(OutgoingRequest& request, const webhook::Program& program, const std::string& value) {
    const Input& input = program.input_of(webhook::Program::signature_slot);
    if (input.from == Input::From::form) {
        append_field(request.body, input.names.front(), value);
    } else {
        request.headers.emplace_back(input.names.front(), value);
    }
}

std::vector<Json*> items_of(Json& delivery, const webhook::ItemsRule& rule) {
    std::vector<Json*> items;
    const Json::json_pointer at{rule.at.text()};
    if (!delivery.contains(at) || !delivery[at].is_array()) return items;
    for (Json& element : delivery[at]) {
        if (!rule.inside) {
            items.push_back(&element);
        } else if (const Json::json_pointer inside{rule.inside->text()}; element.contains(inside)) {
            items.push_back(&element[inside]);
        }
    }
    return items;
}

}  // namespace sluice::ctl
