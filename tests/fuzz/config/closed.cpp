#include "tests/fuzz/config/closed.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <set>

namespace sluice::fuzz {
namespace {

using Visit = std::function<void(YAML::Node, const std::string& path)>;

bool is_open(const std::string& path) {
    return path == "/kafka/options" || path.starts_with("/consumer") || path.starts_with("/effects");
}

void visit_mappings(const YAML::Node& node, const std::string& path, const Visit& visit) {
    if (is_open(path)) return;
    if (node.IsSequence())
        for (const auto& item : node) visit_mappings(item, path + "/-", visit);
    if (!node.IsMap()) return;
    visit(node, path);
    for (const auto& entry : node)
        visit_mappings(entry.second, path + "/" + (entry.first.IsScalar() ? entry.first.Scalar() : "?"),
                       visit);
}

bool has_aliases(const std::string& yaml) {
    return yaml.contains('*');
}

}  // namespace

std::vector<std::string> with_one_more_key(const std::string& yaml) {
    std::vector<std::string> documents;
    if (has_aliases(yaml)) return documents;
    std::size_t mappings = 0;
    visit_mappings(YAML::Load(yaml), "", [&](const YAML::Node&, const std::string&) { ++mappings; });
    for (std::size_t wanted = 0; wanted < std::min<std::size_t>(mappings, 32); ++wanted) {
        const YAML::Node root = YAML::Load(yaml);
        std::vector<YAML::Node> all;
        visit_mappings(root, "", [&](YAML::Node node, const std::string&) { all.push_back(node); });
        all[wanted]["nobody_asked_for_this"] = "1";
        documents.push_back(YAML::Dump(root));
    }
    return documents;
}

bool has_twins(const std::string& yaml) {
    if (has_aliases(yaml)) return false;
    bool found = false;
    visit_mappings(YAML::Load(yaml), "", [&](const YAML::Node& node, const std::string&) {
        std::set<std::string> names;
        for (const auto& entry : node)
            found |= entry.first.IsScalar() && !names.insert(entry.first.Scalar()).second;
    });
    return found;
}

}  // namespace sluice::fuzz
