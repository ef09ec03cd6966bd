#include <set>

#include "common/config/scalar_text.hpp"
#include "common/config/section.hpp"

namespace sluice::config {

Value::Value(YAML::Node node, std::shared_ptr<const std::string> file, Problems& problems)
    : node_{node}, file_{std::move(file)}, problems_{&problems} {}

Place Value::place() const {
    const auto mark = node_.Mark();
    if (mark.is_null()) return {*file_, 0, 0};
    return {*file_, mark.line + 1, mark.column + 1};
}

bool Value::is_scalar() const {
    return node_.IsScalar();
}
bool Value::is_list() const {
    return node_.IsSequence();
}
bool Value::is_mapping() const {
    return node_.IsMap();
}

bool Value::is_quoted() const {
    return node_.IsScalar() && node_.Tag() == "!";  // as yaml-cpp marks it
}

std::string Value::scalar() const {
    return is_scalar() ? node_.Scalar() : std::string{};
}

std::vector<Value> Value::items() const {
    std::vector<Value> items;
    if (!is_list()) return items;
    items.reserve(node_.size());
    for (const auto& item : node_) items.emplace_back(item, file_, *problems_);
    return items;
}

std::vector<std::pair<Value, Value>> Value::entries() const {
    std::vector<std::pair<Value, Value>> entries;
    if (!is_mapping()) return entries;
    std::set<std::string> seen;
    for (const auto& entry : node_) {
        const Value key{entry.first, file_, *problems_};
        const Value value{entry.second, file_, *problems_};
        if (!key.is_scalar()) {
            key.problem("a key must be a plain string");
        } else if (!seen.insert(key.scalar()).second) {
            // yaml-cpp keeps both and finds the first; a person who reads the file may expect the last.
            key.problem("key " + in_quotes(key.scalar()) + " is given twice");
        } else {
            entries.emplace_back(key, value);
        }
    }
    return entries;
}

std::optional<Value> Value::entry(std::string_view key) const {
    if (!is_mapping()) return std::nullopt;
    for (const auto& entry : node_)
        if (entry.first.IsScalar() && entry.first.Scalar() == key)
            return Value{entry.second, file_, *problems_};
    return std::nullopt;
}

void Value::problem(const std::string& sentence) const {
    problems_->add(place(), sentence);
}

std::optional<std::int64_t> Value::integer() const {
    const auto number = integer_from_text(scalar());
    if (!number) problem("must be a whole number" + (is_scalar() ? ", not " + in_quotes(scalar()) : ""));
    return number;
}

std::vector<std::string> Value::text_or_texts() const {
    std::vector<std::string> texts;
    if (is_scalar()) {
        texts.push_back(scalar());
    } else if (is_list()) {
        for (const auto& item : items()) {
            if (item.is_scalar()) {
                texts.push_back(item.scalar());
            } else {
                item.problem("must be a plain string");
            }
        }
    } else {
        problem("must be a string or a list of strings");
    }
    return texts;
}

}  // namespace sluice::config
