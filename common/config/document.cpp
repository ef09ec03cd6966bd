#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "common/config/extent.hpp"
#include "common/config/nearest_key.hpp"
#include "common/config/scalar_text.hpp"
#include "common/config/section.hpp"

namespace sluice::config {
namespace {

const std::array<std::string, 11> top_level_keys{"listen",  "operations", "kafka",    "redis",
                                                 "mysql",   "inbox",      "consumer", "sources",
                                                 "recipes", "effects",    "log"};

[[noreturn]] void refuse(const std::string& where, const std::string& sentence) {
    throw Refused{where + ": " + sentence};
}

// One byte more than is allowed shows that there is more; a device never ends.
std::string read_bounded(const std::string& path) {
    errno = 0;
    std::ifstream in{path, std::ios::binary};
    std::string text(most_file_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.is_open() && !in.bad()) return text;  // a folder opens and fails at the first read
    const auto why = errno == 0 ? std::string{"unknown reason"} : std::generic_category().message(errno);
    refuse(path, "the configuration cannot be read: " + why);
}

std::string at(const std::string& name, const YAML::Mark& mark) {
    return name + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

YAML::Node parse(const std::string& text, const std::string& name) {
    if (text.size() > most_file_bytes) {
        refuse(name, "the file is larger than " + size_text(static_cast<std::int64_t>(most_file_bytes)));
    }
    try {
        if (const auto excess = excess_of(text)) refuse(at(name, excess->mark), excess->sentence);
        auto root = YAML::Load(text);
        if (!root.IsMap()) refuse(name, "the configuration must be a YAML mapping, such as \"kafka: {…}\"");
        return root;
    } catch (const YAML::Exception& problem) {
        refuse(at(name, problem.mark), "no YAML: " + problem.msg);
    }
}

}  // namespace

Document::Document(YAML::Node root, std::shared_ptr<const std::string> file, Problems& problems)
    : root_{std::move(root)}, file_{std::move(file)}, problems_{&problems} {
    for (const auto& [key, value] : Value{root_, file_, problems}.entries()) {
        if (std::ranges::find(top_level_keys, key.scalar()) == top_level_keys.end()) {
            key.problem(in_quotes(key.scalar()) + " is not a known section; " +
                        hint(key.scalar(), top_level_keys));
        }
    }
}

Document Document::from_file(const std::string& path, Problems& problems) {
    return from_text(read_bounded(path), path, problems);
}

Document Document::from_text(const std::string& text, const std::string& name, Problems& problems) {
    return {parse(text, name), std::make_shared<const std::string>(name), problems};
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
