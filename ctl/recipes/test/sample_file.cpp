#include "ctl/recipes/test/sample_file.hpp"

#include <filesystem>

#include "common/config/section.hpp"
#include "common/config/yaml_mapping.hpp"
#include "common/webhook/source_file/read_source.hpp"
#include "ctl/recipes/test/inline_files.hpp"
#include "ctl/recipes/test/sample_reader.hpp"

namespace sluice::ctl {
namespace {

using config::Problems;
using config::Section;
using config::Value;

class SampleFileReader {
public:
    SampleFileReader(const std::string& path, Problems& problems)
        : root_{config::mapping_from_file(path)},
          file_{std::make_shared<const std::string>(path)},
          problems_{problems} {}

    [[nodiscard]] SampleFile read(webhook::RecipeSet& recipes, WallTime clock) {
        Section top{Value{root_, file_, problems_}};
        for (const char* const part : {"recipe", "source"}) top.leave_unread(part);
        if (const auto own = top.value("recipes")) recipes.add(*own);
        SampleFile file;
        file.source = read_source(recipes);
        top.leave_unread("samples");
        if (file.source) read_samples(top.sections("samples"), clock, file);
        if (file.source && file.samples.empty())
            problem("samples are missing: a list of {name, headers, body, accepted: true or false}");
        return file;
    }

private:
    /// As an entry of `sources:`, without its recipe where that is said above, its name and its principal.
    [[nodiscard]] std::shared_ptr<const webhook::Source> read_source(const webhook::RecipeSet& recipes) {
        const YAML::Node& read = root_;
        if (!read["source"].IsDefined() || !read["source"].IsMap()) {
            problem("source is missing: an entry as under `sources`, such as {keys: [{id, value}]}");
            return nullptr;
        }
        YAML::Node source = root_["source"];
        if (!name_recipe(read["recipe"], source)) return nullptr;
        const std::size_t before = problems_.count();
        InlineFiles files;
        files.put_out(source, *file_, problems_);
        if (problems_.count() != before) return nullptr;
        return webhook::read_source(Section{Value{source, file_, problems_}, "source"}, recipes, problems_);
    }

    [[nodiscard]] bool name_recipe(const YAML::Node& above, YAML::Node source) {
        const YAML::Node& read = source;
        const YAML::Node inside = read["recipe"];
        if (!above.IsDefined() && !inside.IsDefined()) {
            problem("recipe is missing: the name of a built-in one, or of one under `recipes`");
            return false;
        }
        if (above.IsDefined() && inside.IsDefined() && above.Scalar() != inside.Scalar()) {
            Value{inside, file_, problems_}.problem("the source names another recipe than the file");
            return false;
        }
        if (!inside.IsDefined()) source["recipe"] = above;
        if (!read["name"].IsDefined()) source["name"] = read["recipe"];
        if (!read["principal"].IsDefined()) source["principal"] = read["name"];  // nothing of it is kept
        return true;
    }

    void read_samples(std::vector<Section> sections, WallTime clock, SampleFile& file) const {
        const auto folder = std::filesystem::path{*file_}.parent_path();
        const SampleContext context{*file.source, folder, clock};
        for (Section& section : sections)
            file.samples.push_back(read_sample(std::move(section), context, file.samples));
    }

    void problem(const std::string& sentence) { problems_.add({*file_, 1, 1}, sentence); }

    YAML::Node root_;
    std::shared_ptr<const std::string> file_;
    Problems& problems_;
};

}  // namespace

SampleFile read_sample_file(const std::string& path, webhook::RecipeSet recipes, Console& console) {
    Problems problems;
    SampleFile file;
    try {
        file = SampleFileReader{path, problems}.read(recipes, console.clock.wall());
    } catch (const config::Refused& refused) {
        throw Stopped{Exit::usage, refused.what()};
    }
    for (const auto& warning : problems.warnings()) console.err << "warning: " << warning << "\n";
    if (problems.any()) throw Stopped{Exit::usage, "the samples cannot be used\n" + problems.report()};
    return file;
}

}  // namespace sluice::ctl
