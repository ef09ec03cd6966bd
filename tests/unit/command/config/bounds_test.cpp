#include "command/config/bounds.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

Bounded bounded(const std::string& entry, std::string* report = nullptr) {
    config::Problems problems;
    const auto document = config::Document::from_text("commands: " + entry, "test.yaml", problems);
    auto read = read_bounded("price", document.section("commands"));
    if (report != nullptr) *report = problems.report();
    return read;
}

TEST(Bounds, OfANumberAreLeastAndMost) {
    const auto price = bounded("{at: /price, type: integer, least: 1, most: 100}");
    EXPECT_FALSE(objection_to(std::int64_t{1}, price));
    EXPECT_FALSE(objection_to(std::int64_t{100}, price));
    EXPECT_EQ(objection_to(std::int64_t{0}, price), ":price must be from 1 to 100");
    EXPECT_EQ(objection_to(std::int64_t{101}, price), ":price must be from 1 to 100");
    EXPECT_FALSE(objection_to(nullptr, price)) << "what is optional may be missing";
}

TEST(Bounds, OfATextCountCharacters) {
    const auto name = bounded("{at: /name, longest: 3}");
    EXPECT_FALSE(objection_to(std::string_view{"äöü"}, name));
    EXPECT_EQ(objection_to(std::string_view{"abcd"}, name), ":price must have at most 3 characters");
}

TEST(Bounds, OfABooleanAreNone) {
    EXPECT_FALSE(objection_to(std::int64_t{1}, bounded("{at: /is_test, type: boolean}")));
}

TEST(Bounds, AreRefusedWhereTheyAreMissingOrCannotBeMet) {
    std::string report;
    (void)bounded("{at: /price, type: integer, most: 5}", &report);
    EXPECT_TRUE(report.contains("least is missing")) << report;
    (void)bounded("{at: /price, type: integer, least: 6, most: 5}", &report);
    EXPECT_TRUE(report.contains("most is below least")) << report;
    (void)bounded("{at: price}", &report);
    EXPECT_TRUE(report.contains("'price' is no JSON pointer")) << report;
    (void)bounded("{at: /price, type: text, most: 5}", &report);
    EXPECT_TRUE(report.contains("most")) << "a key of another type: " << report;
}

std::string report_on_keys(const std::string& send, std::int64_t longest) {
    config::Problems problems;
    const auto document = config::Document::from_text("effects: {send: " + send + "}", "test.yaml", problems);
    const Bounded order{.parameter = {.name = "order", .place = {}}, .bounds = {.longest = longest}};
    check_message_keys(*document.value("effects"), {order});
    return problems.report();
}

TEST(Bounds, OfAMessagesKeyAreThoseOfTheOutbox) {
    EXPECT_EQ(report_on_keys("{to: x, key: ':order'}", 128), "");
    EXPECT_TRUE(report_on_keys("{to: x, key: ':order'}", 129).contains("longest: 128"));
    EXPECT_TRUE(report_on_keys("[{to: x}, {to: x, key: ':order'}]", 255).contains("longest: 128"));
    EXPECT_EQ(report_on_keys("{to: x, key: ':other'}", 255), "");
}

}  // namespace
}  // namespace sluice::command
