#include "ctl/cli/output.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace sluice::ctl {
namespace {

const Json sample{{"id", "no"},
                  {"count", 3},
                  {"nothing", nullptr},
                  {"empty", Json::array()},
                  {"list", {{{"a", "1e3"}, {"b", true}}, "x: y\n"}}};

}  // namespace

TEST(Output, YamlReadsBackAsWhatItWas) {
    const YAML::Node node = YAML::Load(to_yaml(sample));
    EXPECT_EQ(node["id"].as<std::string>(), "no");
    EXPECT_EQ(node["id"].Tag(), "!");  // quoted: text for every reader, not a boolean
    EXPECT_EQ(node["count"].as<int>(), 3);
    EXPECT_TRUE(node["nothing"].IsNull());
    EXPECT_EQ(node["empty"].size(), 0U);
    EXPECT_EQ(node["list"][0]["a"].as<std::string>(), "1e3");
    EXPECT_EQ(node["list"][1].as<std::string>(), "x: y\n");
}

TEST(Output, PrintsTheFormThatWasAskedFor) {
    const SystemClock clock;
    const auto printed = [&](Form form) {
        std::ostringstream out;
        std::ostringstream err;
        Console console{.out = out, .err = err, .clock = clock};
        print(console, form, {{"a", 1}}, "for people\n");
        return out.str();
    };
    EXPECT_EQ(printed(Form::table), "for people\n");
    EXPECT_EQ(printed(Form::json), "{\n  \"a\": 1\n}\n");
    EXPECT_EQ(printed(Form::yaml), "\"a\": 1\n");
}

TEST(Output, JsonKeepsTheOrderOfMembersAndSurvivesBadBytes) {
    EXPECT_EQ(to_line(Json{{"z", 1}, {"a", "\xff"}}), "{\"z\":1,\"a\":\"\uFFFD\"}");
}

}  // namespace sluice::ctl
