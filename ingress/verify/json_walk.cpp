#include "ingress/verify/json_walk.hpp"

#include <charconv>
#include <optional>

#include "common/error.hpp"

namespace sluice::verify {

namespace {

namespace dom = simdjson::dom;

/// The member called `key` (compared unescaped), which must be the only one of its name.
Result<dom::element> member(const dom::object& object, std::string_view key, JsonWay& way) {
    std::optional<dom::element> found;
    std::size_t ordinal = 0;
    std::size_t at = 0;
    for (const auto field : object) {
        if (field.key == key) {
            if (found) return Failure{errc::duplicate_key};
            found = field.value;
            at = ordinal;
        }
        ++ordinal;
    }
    if (!found) return Failure{errc::missing_pointer};
    way.add(at);
    return *found;
}

/// RFC 6901: digits without a leading zero. "-" names the element after the last: never there.
Result<dom::element> element(const dom::array& array, std::string_view token, JsonWay& way) {
    std::size_t index = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, index);
    const bool is_index = error == std::errc{} && stop == end && (token.size() == 1 || token.front() != '0');
    if (!is_index) return Failure{errc::missing_pointer};
    dom::element found;
    if (array.at(index).get(found) != simdjson::SUCCESS) return Failure{errc::missing_pointer};
    way.add(index);
    return found;
}

}  // namespace

Result<simdjson::dom::element> walk(simdjson::dom::element from, const Pointer& pointer, JsonWay& way) {
    if (pointer.tokens().size() > most_nested) return Failure{errc::missing_pointer};
    for (const std::string& token : pointer.tokens()) {
        Result<dom::element> next = Failure{errc::missing_pointer};
        dom::object object;
        dom::array array;
        if (from.get(object) == simdjson::SUCCESS) next = member(object, token, way);
        if (from.get(array) == simdjson::SUCCESS) next = element(array, token, way);
        if (!next) return next;
        from = *next;
    }
    return from;
}

}  // namespace sluice::verify
