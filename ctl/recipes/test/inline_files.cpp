#include "ctl/recipes/test/inline_files.hpp"

#include <cstdlib>
#include <fstream>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

bool is_plain_name(const std::string& name) {
    return !name.empty() && !name.starts_with('.') && !name.contains('/');
}

}  // namespace

InlineFiles::InlineFiles() {
    std::string pattern = std::filesystem::temp_directory_path() / "sluice-samples-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
        throw Stopped{Exit::no, "cannot create a folder for the texts of the samples at " + pattern};
    folder_ = pattern;
}

InlineFiles::~InlineFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string InlineFiles::write(const std::filesystem::path& name, const std::string& text) const {
    const auto path = folder_ / name;
    std::ofstream{path, std::ios::binary} << text;
    return path;
}

// Key and value are changed where they stand, so that they keep their line.
void InlineFiles::put_out_text(YAML::Node value) {
    for (auto entry : value) {
        if (!entry.first.IsScalar() || entry.first.Scalar() != "text" || !entry.second.IsScalar()) continue;
        const std::string text = entry.second.Scalar();
        entry.second = write(std::to_string(++count_), text);
        entry.first = std::string{"file"};
    }
}

std::string InlineFiles::put_out_folder(const YAML::Node& files, const config::Value& value) {
    const std::filesystem::path name = std::to_string(++count_);
    std::filesystem::create_directory(folder_ / name);
    for (const auto& entry : files) {
        if (!entry.first.IsScalar() || !is_plain_name(entry.first.Scalar()) || !entry.second.IsScalar()) {
            value.problem("files must be {NAME: TEXT}, names without a slash");
            break;
        }
        static_cast<void>(write(name / entry.first.Scalar(), entry.second.Scalar()));
    }
    return folder_ / name;
}

void InlineFiles::put_out(YAML::Node source, const std::string& file, config::Problems& problems) {
    const auto name = std::make_shared<const std::string>(file);
    const YAML::Node& read = source;
    const YAML::Node keys = read["keys"];
    for (std::size_t i = 0; keys.IsDefined() && keys.IsSequence() && i < keys.size(); ++i) {
        const YAML::Node value = keys[i].IsMap() ? keys[i]["value"] : YAML::Node{};
        if (value.IsDefined() && value.IsMap()) put_out_text(value);
        if (value.IsDefined() && value.IsScalar())
            config::Value{value, name, problems}.problem(
                "a key's value must be {text: …}, {file: PATH} or {env: NAME}");
    }
    if (!read["with"].IsDefined() || !read["with"].IsMap()) return;
    for (auto setting : source["with"]) {
        if (!setting.second.IsMap()) continue;
        const YAML::Node& given = setting.second;
        const YAML::Node files = given["files"];
        if (files.IsDefined() && files.IsMap()) {
            setting.second = put_out_folder(files, config::Value{given, name, problems});
        } else {
            put_out_text(given);
        }
    }
}

}  // namespace sluice::ctl
