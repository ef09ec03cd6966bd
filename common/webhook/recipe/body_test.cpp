#include "common/webhook/recipe/body_test.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace sluice::webhook {

namespace {

Result<bool> is_any_of(const std::vector<std::string>& texts, const Result<std::string_view>& value) {
    if (!value) return Failure{value.error()};
    return std::ranges::contains(texts, *value);
}

}  // namespace

Result<bool> holds(const BodyTest& test, const JsonView& body) {
    const auto type = body.type(test.at);
    if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
    const bool is_text = type && *type == JsonType::string;
    const auto text = is_text ? body.string(test.at) : Result<std::string_view>{std::string_view{}};
    if (!text) return Failure{text.error()};
    const bool is_there = type && *type != JsonType::null && !(is_text && text->empty());
    if (test.any_of.empty()) return is_there == test.is_there;
    if (!is_there || *type == JsonType::array || *type == JsonType::object) return false;
    return is_any_of(test.any_of, is_text ? text : body.written(test.at));
}

}  // namespace sluice::webhook
