// The pages in docs/providers: those that are committed are those that would be made now.
#include "ctl/recipes/page/provider_page.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "common/webhook/recipe/source.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "ctl/cli/embedded.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::ctl {
namespace {

namespace fs = std::filesystem;
using VectorJson = webhook::test::Json;

const fs::path pages = fs::path{SLUICE_TREE} / "docs" / "providers";
constexpr auto how = "make them anew: build/dev/bin/sluicectl recipes page --all docs/providers";

std::string content(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::string> builtin_names() {
    std::vector<std::string> names;
    for (const auto& recipe : webhook::RecipeSet::builtin().all()) names.push_back(recipe.name);
    return names;
}

/// The first block of YAML of a text.
std::string block_of(const std::string& text) {
    const std::size_t begin = text.find("```yaml\n") + 8;
    return text.substr(begin, text.find("```", begin) - begin);
}

/// What the page refers to is put there: keys and certificates of the recipe's vectors.
class Installed {
public:
    explicit Installed(const std::string& recipe) {
        const fs::path vectors = fs::path{SLUICE_VECTORS} / (recipe + ".json");
        given_ = fs::exists(vectors) ? webhook::test::read_vectors(recipe)["source"]
                                     : VectorJson{{"keys", {{{"value", "whsec_of_a_test"}}}}};
    }

    void refer(YAML::Node source) {
        for (auto key : source["keys"]) {
            EXPECT_TRUE(key["value"]["file"].IsDefined()) << "a secret is {file: …} on a page";
            key["value"]["file"] = files_.write("key", given_["keys"][0]["value"]);
        }
        for (auto setting : source["with"]) {
            const VectorJson value = given_["with"].value(setting.first.Scalar(), VectorJson{});
            if (setting.second.IsMap()) setting.second["file"] = files_.write("setting", value["text"]);
            if (value.contains("files")) setting.second = files_.folder_of("folder", value["files"]);
        }
    }

private:
    VectorJson given_;
    webhook::test::Files files_;
};

class PagesOf : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static const webhook::Recipe& recipe() {
        return *webhook::RecipeSet::builtin().find(GetParam());
    }
};

}  // namespace

TEST_P(PagesOf, HaveATextByHand) {
    EXPECT_TRUE(text_of_recipe(GetParam())) << "docs/providers/text/" << GetParam() << ".md is missing";
}

TEST_P(PagesOf, AreCommittedAsTheyWouldBeMade) {
    const auto text = text_of_recipe(GetParam());
    EXPECT_EQ(content(pages / (GetParam() + ".md")), provider_page(recipe(), text ? &*text : nullptr)) << how;
}

TEST_P(PagesOf, HoldASourceThatCanBeUsed) {
    const auto text = text_of_recipe(GetParam());
    ASSERT_TRUE(text);
    YAML::Node entry = YAML::Load(block_of(text->source));
    ASSERT_EQ(entry.size(), 1U);
    Installed installed{GetParam()};
    installed.refer(entry[0]);
    YAML::Node whole;
    whole["sources"] = entry;
    config::Problems problems;
    const auto document = config::Document::from_text(YAML::Dump(whole), "page.yaml", problems);
    const auto sources = webhook::read_sources(document, problems);
    EXPECT_EQ(problems.report(), "");
    EXPECT_TRUE(problems.warnings().empty()) << problems.warnings().front();
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources[0]->recipe, GetParam());
}

TEST_P(PagesOf, NameTwoOrThreeTrapsAtMost) {
    const std::string traps = text_of_recipe(GetParam()).value().traps;
    std::size_t count = traps.starts_with("- ") ? 1 : 0;
    for (std::size_t at = traps.find("\n- "); at != std::string::npos; at = traps.find("\n- ", at + 1))
        ++count;
    EXPECT_GE(count, 1U);
    EXPECT_LE(count, 3U);
}

INSTANTIATE_TEST_SUITE_P(Recipes, PagesOf, testing::ValuesIn(builtin_names()), [](const auto& one) {
    std::string name = one.param;
    std::erase(name, '-');
    return name;
});

TEST(ProviderPages, AreOnlyThoseOfRecipes) {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator{pages}) {
        const std::string name = entry.path().stem();
        if (entry.path().extension() != ".md" || name == "README") continue;
        ++found;
        EXPECT_NE(webhook::RecipeSet::builtin().find(name), nullptr) << name;
    }
    EXPECT_EQ(found, webhook::RecipeSet::builtin().all().size());
    for (const EmbeddedFile& text : provider_texts())
        EXPECT_NE(webhook::RecipeSet::builtin().find(text.name), nullptr) << text.name;
}

TEST(ProviderPages, AreListed) {
    EXPECT_EQ(content(pages / "README.md"), provider_index(webhook::RecipeSet::builtin().all())) << how;
}

TEST(ProviderPages, OfARecipeOfOnesOwnSayWhatItSaysItself) {
    const std::string page = provider_page(*webhook::RecipeSet::builtin().find("github"), nullptr);
    EXPECT_TRUE(page.starts_with("# github\n")) << page;
    EXPECT_TRUE(page.contains("## Answers\n")) << page;
    EXPECT_FALSE(page.contains("## Traps")) << page;
}

}  // namespace sluice::ctl
