#include "ctl/approve/body_changes.hpp"

#include <map>

#include "common/redact/payload.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {
namespace {

constexpr int deepest_compared = 100;

using Leaves = std::map<std::string, std::string>;  // by JSON pointer

std::string token_of(const std::string& name) {
    std::string token;
    for (const char c : name) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return "/" + token;
}

/// False when it is nested too deeply.
bool add_leaves(const Json& value, const std::string& path, int depth, Leaves& out) {
    if (depth > deepest_compared) return false;
    if (!value.is_structured() || value.empty()) {
        out.emplace(path, to_line(value));
        return true;
    }
    std::size_t number = 0;
    for (auto it = value.begin(); it != value.end(); ++it, ++number) {
        const std::string token = value.is_object() ? token_of(it.key()) : "/" + std::to_string(number);
        if (!add_leaves(*it, path + token, depth + 1, out)) return false;
    }
    return true;
}

std::optional<Leaves> leaves_of(std::string_view body) {
    const auto json = parse_json(body);
    Leaves leaves;
    if (!json || !add_leaves(*json, "", 0, leaves)) return std::nullopt;
    return leaves;
}

/// Masking keeps the shape, but for what it hides whole.
std::string shown_at(const Leaves& masked, const Leaves& plain, const std::string& path) {
    if (!plain.contains(path)) return {};
    const auto found = masked.find(path);
    return found != masked.end() ? found->second : "***";
}

}  // namespace

std::optional<std::vector<BodyChange>> changes_between(std::string_view from, std::string_view to) {
    const auto before = leaves_of(from);
    const auto after = leaves_of(to);
    if (!before || !after) return std::nullopt;
    const Leaves masked_before = leaves_of(redact::masked_body(from)).value_or(Leaves{});
    const Leaves masked_after = leaves_of(redact::masked_body(to)).value_or(Leaves{});
    Leaves all = *before;
    all.insert(after->begin(), after->end());
    std::vector<BodyChange> changes;
    for (const auto& [path, value] : all) {
        const auto was = before->find(path);
        const auto is = after->find(path);
        if (was != before->end() && is != after->end() && was->second == is->second) continue;
        changes.push_back(
            {path, shown_at(masked_before, *before, path), shown_at(masked_after, *after, path)});
    }
    return changes;
}

}  // namespace sluice::ctl
