#include "common/webhook/body/json_walk.hpp"

#include <charconv>
#include <optional>

#include "common/error.hpp"

namespace sluice::webhook {

namespace {

namespace dom = simdjson::dom;

/// The member called `key` (compared unescaped), which must be the only one with its name.
Result<dom::element> member_of(const dom::object& object, std::string_view key, JsonWay& way) {
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
Result<dom::element> element_of(const dom::array& array, std::string_view token, JsonWay& way) {
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

Result<dom::element> step(dom::element from, std::string_view token, JsonWay& way) {
    dom::object object;
    dom::array array;
    if (from.get(object) == simdjson::SUCCESS) return member_of(object, token, way);
    if (from.get(array) == simdjson::SUCCESS) return element_of(array, token, way);
    return Failure{errc::missing_pointer};
}

}  // namespace

void JsonWalk::begin(dom::element root) {
    known_.clear();
    known_.push_back({.key = {}, .element = root});
}

Result<dom::element> JsonWalk::to(const Pointer& pointer, JsonWay& way) {
    std::span<const std::string> rest = pointer.tokens();
    if (rest.size() > most_nested) return Failure{errc::missing_pointer};
    std::size_t at = 0;
    for (; !rest.empty() && knows_members_of(at); rest = rest.subspan(1)) {
        const auto next = member(known_[at], rest.front(), way);
        if (!next) return Failure{next.error()};
        at = *next;
    }
    Result<dom::element> found = known_[at].element;
    for (; found && !rest.empty(); rest = rest.subspan(1)) found = step(*found, rest.front(), way);
    return found;
}

bool JsonWalk::knows_members_of(std::size_t number) {
    if (known_[number].first != 0) return true;
    dom::object object;
    if (known_[number].element.get(object) != simdjson::SUCCESS || object.size() > most_known) return false;
    const std::size_t first = known_.size();
    for (const auto field : object) known_.push_back({.key = field.key, .element = field.value});
    known_[number].first = first;
    known_[number].count = known_.size() - first;
    return true;
}

/// The only one of that name, as above.
Result<std::size_t> JsonWalk::member(const Value& object, std::string_view key, JsonWay& way) const {
    const std::span members = std::span{known_}.subspan(object.first, object.count);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].key != key) continue;
        if (found) return Failure{errc::duplicate_key};
        found = i;
    }
    if (!found) return Failure{errc::missing_pointer};
    way.add(*found);
    return object.first + *found;
}

}  // namespace sluice::webhook
