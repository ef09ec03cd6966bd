#include "common/config/secret_reference.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using Kind = SecretReference::Kind;

const Place place{"test.yaml", 4, 1};

struct Resolved {
    std::string bytes;
    std::string report;
};

Resolved resolved(Kind kind, const std::string& name) {
    Problems problems;
    const auto secret = resolve({kind, name, place}, problems);
    return {std::string{secret.bytes()}, problems.report()};
}

std::string from_file(const std::string& content) {
    const TestFile file{"secret", content};
    return resolved(Kind::file, file.path()).bytes;
}

TEST(SecretReference, TakesTheWholeFileWithoutOneLineEnd) {
    EXPECT_EQ(from_file("whsec_abc"), "whsec_abc");
    EXPECT_EQ(from_file("whsec_abc\n"), "whsec_abc");
    EXPECT_EQ(from_file("whsec_abc\r\n"), "whsec_abc");
    EXPECT_EQ(from_file("whsec_abc\n\n"), "whsec_abc\n");
    EXPECT_EQ(from_file(" two\nlines "), " two\nlines ");
    EXPECT_EQ(from_file(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(SecretReference, TakesTheVariable) {
    ASSERT_EQ(::setenv("SLUICE_UNIT_SECRET", "whsec_abc\n", 1), 0);
    EXPECT_EQ(resolved(Kind::env, "SLUICE_UNIT_SECRET").bytes, "whsec_abc");
    ASSERT_EQ(::unsetenv("SLUICE_UNIT_SECRET"), 0);
    EXPECT_EQ(resolved(Kind::env, "SLUICE_UNIT_SECRET").report,
              "test.yaml:4: the secret in environment variable SLUICE_UNIT_SECRET is not set");
}

TEST(SecretReference, MissingOrUnreadableFileIsAProblemAtItsPlace) {
    const auto missing = resolved(Kind::file, "/nonexistent/secret");
    EXPECT_EQ(missing.bytes, "");
    EXPECT_EQ(
        missing.report,
        "test.yaml:4: the secret in file /nonexistent/secret cannot be read: No such file or directory");
    EXPECT_EQ(resolved(Kind::file, "/").report,
              "test.yaml:4: the secret in file / cannot be read: Is a directory");
}

TEST(SecretReference, EmptySecretIsAProblem) {
    for (const auto* const content : {"", "\n", "\r\n"}) {
        const TestFile file{"secret", content};
        EXPECT_EQ(resolved(Kind::file, file.path()).report,
                  "test.yaml:4: the secret in file " + file.path() + " is empty");
    }
}

TEST(SecretReference, Over64KibIsAProblem) {
    EXPECT_EQ(from_file(std::string(65'536, 'x')).size(), 65'536U);
    const TestFile file{"secret", std::string(65'537, 'x')};
    const auto large = resolved(Kind::file, file.path());
    EXPECT_EQ(large.bytes, "");
    EXPECT_EQ(large.report, "test.yaml:4: the secret in file " + file.path() + " is larger than 64 KiB");
}

TEST(SecretReference, ContentIsComparedByItsDigest) {
    const TestFile file{"secret", "whsec_abc\n"};
    EXPECT_EQ(digest_of_content(file.path(), 100), crypto::sha256("whsec_abc\n"));
    EXPECT_EQ(digest_of_content(file.path(), 5), crypto::sha256("whsec")) << "no more than asked for";
    EXPECT_EQ(digest_of_content("/nonexistent/secret", 100), crypto::sha256(""));
    EXPECT_EQ(digest_of_content("/", 100), crypto::sha256(""));
}

}  // namespace
}  // namespace sluice::config
