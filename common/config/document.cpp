#include <algorithm>
#include <array>

#include "common/config/nearest_key.hpp"
#include "common/config/scalar_text.hpp"
#include "common/config/section.hpp"
#include "common/config/yaml_mapping.hpp"

namespace sluice::config {
namespace {

const std::array<std::string, 21> top_level_keys{
    "listen",    "operations", "kafka",     "redis",        "mysql",   "inbox",
    "callbacks", "consumer",   "sources",   "recipes",      "effects", "effects_revision",
    "log",       "tracing",    "operators", "destinations", "outbox",  "command",
    "callers",   "commands",   "spill"};

}  // namespace

Document::Document(YAML::Node root, std::shared_ptr<const std::string> file, Problems& problems)
    : root_{root}, file_{std::move(file)}, problems_{&problems} {
    for (const auto& [key, value] : Value{root_, file_, problems}.entries()) {
        if (std::ranges::find(top_level_keys, key.scalar()) == top_level_keys.end()) {
            key.problem(in_quotes(key.scalar()) + " is not a known section; " +
                        hint(key.scalar(), top_level_keys));
        }
    }
}

Document Document::from_file(const std::string& path, Problems& problems) {
    return {mapping_from_file(path), std::make_shared<const std::string>(path), problems};
}

Document Document::from_text(const std::string& text, const std::string& name, Problems& problems) {
    return {mapping_from_text(text, name), std::make_shared<const std::string>(name), problems};
}

Section Document::section(std::string_view key) const {
    const auto found = value(key);
    return Section{found ? *found : Value{YAML::Node{}, file_, *problems_}, std::string{key}};
}

std::optional<Value> Document::value(std::string_view key) const {
    const auto node = root_[std::string{key}];
    if (!node.IsDefined() || node.IsNull()) return std::nullopt;
    return Value{node, file_, *problems_};
}

}  // namespace sluice::config
