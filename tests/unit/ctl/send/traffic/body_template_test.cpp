#include "ctl/send/traffic/body_template.hpp"

#include <gtest/gtest.h>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

Json with(const std::string& edit, Json body, bool is_form = false) {
    apply(edit_from_text(edit), body, is_form);
    return body;
}

}  // namespace

TEST(BodyTemplate, AWholeNameBecomesTheValueItself) {
    const Json body =
        filled({{"amount", "{{amount}}"}, {"flag", "{{flag}}"}}, {{"amount", 500}, {"flag", true}});
    EXPECT_EQ(to_line(body), R"({"amount":500,"flag":true})");
}

TEST(BodyTemplate, NamesInsideTextBecomeText) {
    const Json body = filled({{"u", "/{{id}}/lines/{{n}}"}}, {{"id", "in_1"}, {"n", 4}});
    EXPECT_EQ(to_line(body), R"({"u":"/in_1/lines/4"})");
}

TEST(BodyTemplate, LeavesUnknownNamesAndOpenBracesAlone) {
    const Json body = filled({{"a", "{{unknown}}"}, {"b", "x {{ y"}, {"c", {"{{n}}", 1}}}, {{"n", 2}});
    EXPECT_EQ(to_line(body), R"({"a":"{{unknown}}","b":"x {{ y","c":[2,1]})");
}

TEST(BodyTemplate, EditsTakeJsonWhereItReadsAsJson) {
    EXPECT_EQ(to_line(with("/a/b=500", {{"a", {{"b", 1}}}})), R"({"a":{"b":500}})");
    EXPECT_EQ(to_line(with("/a=cus_1", {{"a", 1}})), R"({"a":"cus_1"})");
    EXPECT_EQ(to_line(with("/a=\"500\"", {{"a", 1}})), R"({"a":"500"})");
    EXPECT_EQ(to_line(with("/new/member=null", Json::object())), R"({"new":{"member":null}})");
    EXPECT_EQ(to_line(with("/a=x=y", Json::object())), R"({"a":"x=y"})");
}

TEST(BodyTemplate, EditsOfAFormTakeTheTextAsItIs) {
    for (const std::string text : {"12345678901234567890123", "1e3", "88.880", "8.888e1", "007", "true",
                                   "null", "\"x\"", "{\"a\":1}", ""})
        EXPECT_EQ(with("/a=" + text, {{"a", "b"}}, true)["a"], text);
}

TEST(BodyTemplate, EditsThatCannotBeAreWrongUsage) {
    EXPECT_THROW(static_cast<void>(edit_from_text("a=1")), Stopped);
    EXPECT_THROW(static_cast<void>(edit_from_text("/a")), Stopped);
    EXPECT_THROW(static_cast<void>(edit_from_text("/a~2=1")), Stopped);
    EXPECT_THROW(with("/a/b=1", {{"a", "text"}}), Stopped);
    EXPECT_THROW(with("/a/x=1", {{"a", {1, 2}}}), Stopped);
}

TEST(BodyTemplate, AnObjectsOwnTimeDoesNotDependOnTheRun) {
    const auto time_of = [](std::int64_t created) {
        SampleEvent event;
        event.created = created;
        return filled("{{object_created}}", values_of(event));
    };
    EXPECT_EQ(time_of(1'790'000'000), time_of(1'800'000'000));
}

}  // namespace sluice::ctl
