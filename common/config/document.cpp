#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "common/config/nearest_key.hpp"
#include "common/config/scalar_text.hpp"
#include "common/config/section.hpp"

namespace sluice::config {
namespace {

const std::array<std::string, 11> top_level_keys{"listen",  "operations", "kafka",    "redis",
                                                 "mysql",   "inbox",      "consumer", "sources",
                                                 "recipes", "effects",    "log"};

[[noreturn]] void refuse(const std::string& file, const std::string& sentence) {
    throw Refused{file + ": " + sentence};
}

std::string read_whole(const std::string& path) {
    errno = 0;
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    // A folder opens and fails at the first read; an empty file fails to stream but is no error.
    const bool is_empty = in.peek() == std::ifstream::traits_type::eof() && !in.bad();
    if (in.is_open() && (is_empty || text << in.rdbuf()) && !in.bad()) return std::move(text).str();
    const auto why = errno == 0 ? std::string{"unknown reason"} : std::generic_category().message(errno);
    refuse(path, "the configuration cannot be read: " + why);
}

YAML::Node parse(const std::string& text, const std::string& name) {
    try {
        const auto documents = YAML::LoadAll(text);
        if (documents.size() > 1) refuse(name, "the file holds several YAML documents (---), it must be one");
        if (documents.empty() || !documents.front().IsMap()) {
            refuse(name, "the configuration must be a YAML mapping, such as \"kafka: {…}\"");
        }
        return documents.front();
    } catch (const YAML::Exception& problem) {
        refuse(name + ":" + std::to_string(problem.mark.line + 1) + ":" +
                   std::to_string(problem.mark.column + 1),
               "no YAML: " + problem.msg);
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
    return from_text(read_whole(path), path, problems);
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
