#include "consumer/effects/effect/kept_headers.hpp"

#include "common/error.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::effects {
namespace {

const webhook::Pointer& pointer_to(std::string_view text) {
    static const webhook::Pointer whole = webhook::Pointer::parse("").value();
    static const webhook::Pointer name = webhook::Pointer::parse("/0").value();
    static const webhook::Pointer value = webhook::Pointer::parse("/1").value();
    return text.empty() ? whole : text == "/0" ? name : value;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> kept_headers(std::string_view json) {
    webhook::JsonView list;
    webhook::JsonView pair;
    if (!list.read(json)) return Failure{errc::unreadable_body};
    const auto elements = list.elements(pointer_to(""));
    if (!elements) return Failure{errc::unreadable_body};
    std::vector<std::pair<std::string, std::string>> headers;
    for (const std::string_view element : *elements) {
        if (!pair.read(element)) return Failure{errc::unreadable_body};
        const auto name = pair.string(pointer_to("/0"));
        const auto value = pair.string(pointer_to("/1"));
        if (!name || !value) return Failure{errc::unreadable_body};
        headers.emplace_back(*name, *value);
    }
    return headers;
}

}  // namespace sluice::effects
