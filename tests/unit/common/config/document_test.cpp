#include <gtest/gtest.h>

#include "common/config/extent.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

std::string refusal_of(const std::string& text) {
    try {
        const Reading reading{text};
    } catch (const Refused& refused) {
        return refused.what();
    }
    return "accepted";
}

TEST(Document, KnowsItsSections) {
    Reading reading{
        "listen: {}\noperations: {}\nkafka: {}\nredis: {}\nmysql: {}\ninbox: {}\nconsumer: {}\n"
        "sources: []\nrecipes: []\neffects: []\nlog: {}\ntracing: {}\n"};
    EXPECT_EQ(reading.report(), "");
    EXPECT_TRUE(reading.document().value("sources")->is_list());
    EXPECT_FALSE(reading.document().value("nothing").has_value());
}

TEST(Document, UnknownSectionNamesItsLineAndTheNearestOne) {
    Reading reading{"kafka: {}\nsurces: []\n"};
    EXPECT_EQ(reading.report(), "test.yaml:2: \"surces\" is not a known section; did you mean \"sources\"?");
}

TEST(Document, SectionGivenTwiceIsAProblem) {
    Reading reading{"kafka: {}\nredis: {}\nkafka: {}\n"};
    EXPECT_EQ(reading.report(), "test.yaml:3: key \"kafka\" is given twice");
}

TEST(Document, SectionsThatNobodyReadsAreNotChecked) {
    Reading reading{"kafka: {nonsense: 1}\n"};
    EXPECT_EQ(reading.report(), "");
}

TEST(Document, BrokenYamlNamesLineAndColumn) {
    const auto what = refusal_of("kafka:\n  topic: [a\nredis: {}\n");
    EXPECT_TRUE(what.starts_with("test.yaml:3:")) << what;
}

TEST(Document, MustBeOneMapping) {
    EXPECT_NE(refusal_of(""), "accepted");
    EXPECT_NE(refusal_of("# nothing\n"), "accepted");
    EXPECT_NE(refusal_of("- a\n- b\n"), "accepted");
    EXPECT_NE(refusal_of("just words\n"), "accepted");
    EXPECT_NE(refusal_of("kafka: {}\n---\nredis: {}\n"), "accepted");
}

TEST(Document, StrayCommaIsRefusedWhereItStands) {
    EXPECT_EQ(refusal_of("kafka: {}\n,\n").substr(0, 12), "test.yaml:2:");
    EXPECT_EQ(refusal_of(","), "test.yaml:1:1: the YAML document ends before this: a file holds only one");
}

TEST(Document, IsNotReadBeyondItsBounds) {
    EXPECT_EQ(refusal_of("kafka: " + std::string(most_file_bytes, 'x')),
              "test.yaml: the file is larger than 1MiB");
    EXPECT_EQ(refusal_of("kafka:\n  sasl: &a [*a]\n"),
              "test.yaml:2:13: this alias refers to a value that contains it");
    Problems problems;
    EXPECT_THROW(static_cast<void>(Document::from_file("/dev/zero", problems)), Refused);
}

TEST(Document, FileThatCannotBeReadIsRefusedWithItsName) {
    Problems problems;
    try {
        const auto document = Document::from_file("/nonexistent/sluice.yaml", problems);
        FAIL() << "read " << document.file();
    } catch (const Refused& refused) {
        EXPECT_STREQ(refused.what(),
                     "/nonexistent/sluice.yaml: the configuration cannot be read: No such file or directory");
    }
    try {
        const auto document = Document::from_file("/", problems);
        FAIL() << "read " << document.file();
    } catch (const Refused& refused) {
        EXPECT_STREQ(refused.what(), "/: the configuration cannot be read: Is a directory");
    }
}

TEST(Document, EmptyFileIsNoMapping) {
    const TestFile file{"empty.yaml", ""};
    Problems problems;
    try {
        const auto document = Document::from_file(file.path(), problems);
        FAIL() << "read " << document.file();
    } catch (const Refused& refused) {
        EXPECT_NE(std::string{refused.what()}.find("must be a YAML mapping"), std::string::npos);
    }
}

TEST(Document, FileIsReadWhole) {
    const TestFile file{"document.yaml", "kafka: {topic: a}\nredis: {epoch: 2}\n"};
    Problems problems;
    const auto document = Document::from_file(file.path(), problems);
    EXPECT_EQ(document.file(), file.path());
    EXPECT_EQ(document.section("kafka").text("topic", ""), "a");
    EXPECT_EQ(document.section("redis").integer("epoch", 1, 0, 9), 2);
}

}  // namespace
}  // namespace sluice::config
