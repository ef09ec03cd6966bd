#include "common/config/yaml_mapping.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "common/config/extent.hpp"
#include "common/config/problems.hpp"
#include "common/config/scalar_text.hpp"

namespace sluice::config {
namespace {

[[noreturn]] void refuse_file(const std::string& where, const std::string& sentence) {
    throw Refused{where + ": " + sentence};
}

// Reads one byte more than is allowed, to see that there is more; a device never ends.
std::string read_bounded(const std::string& path) {
    errno = 0;
    std::ifstream in{path, std::ios::binary};
    std::string text(most_file_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.is_open() && !in.bad()) return text;  // a folder can be opened and fails at the first read
    const auto why = errno == 0 ? std::string{"unknown reason"} : std::generic_category().message(errno);
    refuse_file(path, "the configuration cannot be read: " + why);
}

std::string at_mark(const std::string& name, const YAML::Mark& mark) {
    return name + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

}  // namespace

YAML::Node mapping_from_text(const std::string& text, const std::string& name) {
    if (text.size() > most_file_bytes) {
        refuse_file(name, "the file is larger than " + size_text(static_cast<std::int64_t>(most_file_bytes)));
    }
    try {
        if (const auto excess = excess_of(text)) refuse_file(at_mark(name, excess->mark), excess->sentence);
        auto root = YAML::Load(text);
        if (!root.IsMap())
            refuse_file(name, "the configuration must be a YAML mapping, such as \"kafka: {…}\"");
        return root;
    } catch (const YAML::Exception& problem) {
        refuse_file(at_mark(name, problem.mark), "this is not valid YAML: " + problem.msg);
    }
}

YAML::Node mapping_from_file(const std::string& path) {
    return mapping_from_text(read_bounded(path), path);
}

}  // namespace sluice::config
