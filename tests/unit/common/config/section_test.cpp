#include "common/config/section.hpp"

#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(Section, UnknownKeyNamesItsLineItsPathAndTheNearestKey) {
    Reading reading{"kafka:\n  topic: a\n  brokrs: [b]\n"};
    {
        auto kafka = reading.section("kafka");
        static_cast<void>(kafka.text("topic", ""));
        static_cast<void>(kafka.texts("brokers"));
    }
    EXPECT_EQ(reading.report(), "test.yaml:3: kafka.brokrs is not a known key; did you mean \"brokers\"?");
}

TEST(Section, UnknownKeyOfANestedMappingIsFoundToo) {
    Reading reading{"kafka:\n  sasl:\n    usr: a\n"};
    {
        auto kafka = reading.section("kafka");
        auto sasl = kafka.section("sasl");
        static_cast<void>(sasl.text("user", ""));
    }
    EXPECT_EQ(reading.report(), "test.yaml:3: kafka.sasl.usr is not a known key; did you mean \"user\"?");
}

TEST(Section, KeysThatWereAskedForAreKnown) {
    Reading reading{"kafka: {a: 1, b: 1, c: {d: 1}, e: {f: 1}, g: [{h: 1}]}\n"};
    {
        auto kafka = reading.section("kafka");
        EXPECT_TRUE(kafka.has("a"));
        kafka.leave_unread("b");
        EXPECT_TRUE(kafka.value("c").has_value());
        EXPECT_TRUE(kafka.section("e").has("f"));
        for (auto& item : kafka.sections("g")) EXPECT_TRUE(item.has("h"));
    }
    EXPECT_EQ(reading.report(), "");
}

TEST(Section, ReportsOnceAfterItWasMoved) {
    Reading reading{"kafka: {a: 1}\n"};
    {
        auto first = reading.section("kafka");
        const auto second = std::move(first);
    }
    EXPECT_EQ(reading.problems().errors().size(), 1U);
}

TEST(Section, SaysNothingOfUnreadKeysWhenReadingWasCutShort) {
    Reading reading{"kafka: {a: 1}\n"};
    try {
        const auto kafka = reading.section("kafka");
        throw std::runtime_error{"cut short"};
    } catch (const std::runtime_error&) {
        EXPECT_EQ(reading.report(), "");
    }
}

TEST(Section, KeyGivenTwiceIsAProblem) {
    Reading reading{"kafka:\n  topic: a\n  topic: b\n"};
    EXPECT_EQ(reading.section("kafka").text("topic", ""), "a");
    EXPECT_EQ(reading.report(), "test.yaml:3: key \"topic\" is given twice");
}

TEST(Section, MissingAndNullReadAsTheDefault) {
    for (const auto* const text : {"redis: {}\n", "kafka:\n", "kafka: ~\n", "kafka: {a: , b: ~}\n"}) {
        Reading reading{text};
        auto kafka = reading.section("kafka");
        EXPECT_FALSE(kafka.has("a"));
        EXPECT_EQ(kafka.text("a", "default"), "default");
        EXPECT_EQ(kafka.boolean("b", true), true);
        EXPECT_EQ(kafka.integer("a", 7, 0, 9), 7);
        EXPECT_EQ(kafka.duration("a", 7s, 1s, 9s), 7s);
        EXPECT_EQ(kafka.size("a", 7, 0, 9), 7);
        EXPECT_EQ(kafka.one_of("a", {"x"}, "y"), "y");
        EXPECT_EQ(kafka.instant("a"), std::nullopt);
        EXPECT_FALSE(kafka.secret("a").has_value());
        EXPECT_TRUE(kafka.texts("a").empty());
        EXPECT_TRUE(kafka.sections("a").empty());
        EXPECT_FALSE(kafka.section("a").has("x"));
        EXPECT_EQ(reading.report(), "");
    }
}

TEST(Section, MustBeAMapping) {
    Reading reading{"kafka: [a]\n"};
    EXPECT_EQ(reading.section("kafka").text("topic", "b"), "b");
    EXPECT_EQ(reading.report(), "test.yaml:1: kafka must be a mapping, such as {key: value}");
}

TEST(Section, RequiredTextMustBeThereAndNotEmpty) {
    Reading reading{"mysql:\n  host: \"\"\n  user: [a]\n"};
    auto mysql = reading.section("mysql");
    EXPECT_EQ(mysql.required_text("host"), "");
    EXPECT_EQ(mysql.required_text("database"), "");
    EXPECT_EQ(mysql.required_text("user"), "");
    EXPECT_EQ(reading.report(),
              "test.yaml:2: mysql.host must be given\n"
              "test.yaml:2: mysql.database must be given\n"
              "test.yaml:3: mysql.user must be a string");
}

TEST(Section, ProblemOfAMissingKeyStandsAtTheSectionAroundIt) {
    Reading reading{"kafka: {}\nredis: {a: {}}\n"};
    auto redis = reading.section("redis");
    auto missing = redis.section("b");
    missing.problem_at("x", "sentence");
    EXPECT_EQ(reading.report(), "test.yaml:2: sentence");
    redis.leave_unread("a");
}

TEST(Section, NumbersAreReadWithinTheirBounds) {
    Reading reading{
        "redis: {a: 5, b: \"6\", c: 3s, d: 2KiB, e: true, f: false, g: y, h: 2026-01-01T00:00:00Z}\n"};
    auto redis = reading.section("redis");
    EXPECT_EQ(redis.integer("a", 0, 5, 5), 5);
    EXPECT_EQ(redis.integer("b", 0, 0, 9), 6);
    EXPECT_EQ(redis.duration("c", 1s, 3s, 3s), 3s);
    EXPECT_EQ(redis.size("d", 0, 2'048, 2'048), 2'048);
    EXPECT_TRUE(redis.boolean("e", false));
    EXPECT_FALSE(redis.boolean("f", true));
    EXPECT_EQ(redis.one_of("g", {"x", "y"}, "x"), "y");
    EXPECT_EQ(redis.instant("h"), std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});
    EXPECT_EQ(reading.report(), "");
}

TEST(Section, WrongValueNamesWhatIsRightAndReadsAsTheDefault) {
    Reading reading{
        "redis:\n  a: 10\n  b: 1.5\n  c: 10m\n  d: 3KiB\n  e: yes\n  f: z\n  g: tomorrow\n  h: [1]\n  i: "
        "{}\n"};
    {
        auto redis = reading.section("redis");
        EXPECT_EQ(redis.integer("a", 1, 0, 9), 1);
        EXPECT_EQ(redis.integer("b", 1, 0, 9), 1);
        EXPECT_EQ(redis.duration("c", 2s, 1s, 1min), 2s);
        EXPECT_EQ(redis.size("d", 1, 1, 2'048), 1);
        EXPECT_EQ(redis.boolean("e", false), false);
        EXPECT_EQ(redis.one_of("f", {"x", "y"}, "x"), "x");
        EXPECT_EQ(redis.instant("g"), std::nullopt);
        EXPECT_EQ(redis.text("h", "s"), "s");
        EXPECT_TRUE(redis.texts("i").empty());
    }
    EXPECT_EQ(
        reading.report(),
        "test.yaml:2: redis.a must be a whole number from 0 to 9, not \"10\"\n"
        "test.yaml:3: redis.b must be a whole number from 0 to 9, not \"1.5\"\n"
        "test.yaml:4: redis.c must be a duration from 1s to 1m (units: ms, s, m, h, d), not \"10m\"\n"
        "test.yaml:5: redis.d must be a number of bytes from 1 to 2KiB (units: KiB, MiB, GiB), not \"3KiB\"\n"
        "test.yaml:6: redis.e must be true or false, not \"yes\"\n"
        "test.yaml:7: redis.f must be one of x, y, not \"z\"\n"
        "test.yaml:8: redis.g must be a time such as 2026-12-01T00:00:00Z, not \"tomorrow\"\n"
        "test.yaml:9: redis.h must be a string\n"
        "test.yaml:10: redis.i must be a string or a list of strings");
}

TEST(Section, TextsTakeAListOrOneScalar) {
    Reading reading{"kafka: {a: one, b: [one, two], c: [one, [two]]}\n"};
    auto kafka = reading.section("kafka");
    EXPECT_EQ(kafka.texts("a"), std::vector<std::string>{"one"});
    EXPECT_EQ(kafka.texts("b"), (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(kafka.texts("c"), std::vector<std::string>{"one"});
    EXPECT_EQ(reading.report(), "test.yaml:1: must be a plain string");
}

TEST(Section, SecretsAreReferencesOnly) {
    Reading reading{"redis:\n  a: {file: /run/secrets/a}\n  b: {env: NAME}\n"};
    auto redis = reading.section("redis");
    const auto file = redis.secret("a");
    const auto env = redis.secret("b");
    ASSERT_TRUE(file && env);
    EXPECT_EQ(file->text(), "file /run/secrets/a");
    EXPECT_EQ(file->place.text(), "test.yaml:2");
    EXPECT_EQ(env->text(), "environment variable NAME");
    EXPECT_EQ(reading.report(), "");
}

TEST(Section, PlainSecretIsRefusedWithoutRepeatingIt) {
    Reading reading{"redis:\n  a: hunter2\n  b: {file: x, env: Y}\n  c: {}\n  d: {value: hunter2}\n"};
    {
        auto redis = reading.section("redis");
        for (const auto* const key : {"a", "b", "c", "d"}) EXPECT_FALSE(redis.secret(key).has_value()) << key;
    }
    EXPECT_EQ(
        reading.report(),
        "test.yaml:2: redis.a must be {file: PATH} or {env: NAME}; a secret does not belong in this file\n"
        "test.yaml:3: redis.b must be {file: PATH} or {env: NAME}\n"
        "test.yaml:4: redis.c must be {file: PATH} or {env: NAME}\n"
        "test.yaml:5: redis.d must be {file: PATH} or {env: NAME}\n"
        "test.yaml:5: redis.d.value is not a known key; known keys: file, env");
}

TEST(Section, SectionsNameTheirPlaceInTheList) {
    Reading reading{"sources: []\nkafka:\n  list:\n    - {a: 1}\n    - {b: 1}\n    - c\n"};
    {
        auto kafka = reading.section("kafka");
        auto sections = kafka.sections("list");
        ASSERT_EQ(sections.size(), 3U);
        EXPECT_EQ(sections[1].path(), "kafka.list[1]");
        for (auto& section : sections) static_cast<void>(section.has("a"));
    }
    EXPECT_EQ(reading.report(),
              "test.yaml:6: kafka.list[2] must be a mapping, such as {key: value}\n"
              "test.yaml:5: kafka.list[1].b is not a known key; did you mean \"a\"?");
}

TEST(Section, SectionsMustBeAList) {
    Reading reading{"kafka:\n  list: {a: 1}\n"};
    EXPECT_TRUE(reading.section("kafka").sections("list").empty());
    EXPECT_EQ(reading.report(), "test.yaml:2: kafka.list must be a list of mappings");
}

TEST(Section, WarningsDoNotRefuse) {
    Reading reading{"kafka: {}\n"};
    reading.section("kafka").warn("odd");
    EXPECT_FALSE(reading.problems().any());
    EXPECT_EQ(reading.problems().warnings(), std::vector<std::string>{"test.yaml:1: odd"});
}

TEST(Value, EntriesKeepTheFilesOrder) {
    Reading reading{"effects:\n  z: 1\n  a: 2\n  m: 3\n"};
    std::string keys;
    for (const auto& [key, value] : reading.document().value("effects")->entries()) keys += key.scalar();
    EXPECT_EQ(keys, "zam");
}

TEST(Value, EntryIsTheFirstOfItsKey) {
    Reading reading{"effects:\n  [b]: 3\n  a: 1\n  a: 2\n"};
    const auto effects = *reading.document().value("effects");
    EXPECT_EQ(effects.entry("a")->scalar(), "1");
    EXPECT_FALSE(effects.entry("c") || effects.entry("a")->entry("a"));
    EXPECT_EQ(reading.report(), "");
}

TEST(Value, KeysGivenTwiceOrNoWordsAreProblems) {
    Reading reading{"effects:\n  a: 1\n  a: 2\n  [b]: 3\n"};
    EXPECT_EQ(reading.document().value("effects")->entries().size(), 1U);
    EXPECT_EQ(reading.report(),
              "test.yaml:3: key \"a\" is given twice\n"
              "test.yaml:4: a key must be a plain string");
}

TEST(Value, KnowsItsKind) {
    Reading reading{"effects: [a, [b], {c: d}, 12]\n"};
    const auto items = reading.document().value("effects")->items();
    ASSERT_EQ(items.size(), 4U);
    EXPECT_TRUE(items[0].is_scalar());
    EXPECT_TRUE(items[1].is_list());
    EXPECT_TRUE(items[2].is_mapping());
    EXPECT_EQ(items[1].scalar(), "");
    EXPECT_EQ(items[3].integer(), 12);
    EXPECT_EQ(items[0].integer(), std::nullopt);
    EXPECT_EQ(items[1].text_or_texts(), std::vector<std::string>{"b"});
    EXPECT_TRUE(items[2].text_or_texts().empty());
    EXPECT_EQ(items[2].place().line, 1);
    EXPECT_EQ(items[2].place().column, 19);
    EXPECT_EQ(reading.report(),
              "test.yaml:1: must be a whole number, not \"a\"\n"
              "test.yaml:1: must be a string or a list of strings");
}

}  // namespace
}  // namespace sluice::config
