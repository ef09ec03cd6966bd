#include "tests/fuzz/engine/recipes.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/fuzz/support/require.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::fuzz {
namespace {

using webhook::test::Json;

constexpr std::size_t fewest = 23;  // recipes are built in

std::vector<Json> distinct_sources(const Json& file) {
    std::vector<Json> sources{file["source"]};
    for (const Json& vector : file["vectors"]) {
        const Json source = vector.value("source", file["source"]);
        if (!std::ranges::contains(sources, source)) sources.push_back(source);
    }
    return sources;
}

/// The sources of all files as one configuration: reading the recipes takes longer than anything else.
class Reader {
public:
    void add(const std::string& recipe, std::vector<Json> sources) {
        for (Json& source : sources) {
            const std::string number = std::to_string(names_.size());
            for (Json& key : source["keys"]) refer_to_secret(key);
            if (source.contains("with")) webhook::test::refer_to_files(source, files_, number);
            source["recipe"] = recipe;
            source["name"] = "s" + number;
            source["principal"] = "s" + number;
            list_.push_back(source);
            names_.push_back(recipe);
        }
    }

    [[nodiscard]] std::vector<std::vector<std::unique_ptr<Party>>> read() const {
        const webhook::test::Configured configured(Json{{"sources", list_}}.dump());
        require(configured.sources.size() == names_.size(), "the vectors' sources are right",
                configured.problems.report());
        std::vector<std::vector<std::unique_ptr<Party>>> parties;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (i == 0 || names_[i] != names_[i - 1]) parties.emplace_back();
            parties.back().push_back(std::make_unique<Party>(configured.sources[i], tally_of(names_[i])));
        }
        return parties;
    }

private:
    void refer_to_secret(Json& key) {
        const std::string name = "SLUICE_FUZZ_KEY_" + std::to_string(secrets_++);
        ::setenv(name.c_str(), key["value"].get<std::string>().c_str(), 1);
        key["value"] = {{"env", name}};
    }

    Json list_ = Json::array();
    std::vector<std::string> names_;
    webhook::test::Files files_;
    int secrets_ = 0;
};

void add_places(const webhook::Program& program, Places& places) {
    for (std::size_t i = 0; i < program.headers.size(); ++i) {
        if (!std::ranges::contains(places, program.headers[i], &Places::value_type::first))
            places.emplace_back(program.headers[i], i);
    }
}

}  // namespace

Recipes read_recipes() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(SLUICE_VECTORS))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
    std::ranges::sort(names);
    Reader reader;
    for (const std::string& name : names)
        reader.add(name, distinct_sources(webhook::test::read_vectors(name)));
    // Stripe's requests are kept elsewhere, see tests/support/stripe_vectors.
    const Json stripe = {{"keys", {{{"id", "a"}, {"value", "whsec_made_up_for_tests_current"}}}}};
    reader.add("stripe", {stripe});
    Recipes recipes{reader.read(), {}};
    require(recipes.parties.size() >= fewest, "every recipe is there");
    for (const auto& parties : recipes.parties)
        for (const auto& party : parties) add_places(party->program(), recipes.places);
    for (const auto& parties : recipes.parties)
        for (const auto& party : parties) party->meet(recipes.places);
    return recipes;
}

}  // namespace sluice::fuzz
