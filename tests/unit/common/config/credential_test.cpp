#include "common/config/credential.hpp"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

void write(const std::string& path, std::string_view content) {
    std::ofstream{path, std::ios::trunc} << content;
}

std::string now(const Credential& credential) {
    return std::string{credential.now().bytes()};
}

Credential kept_in(const TestFile& file) {
    Problems problems;
    Credential credential{{SecretReference::Kind::file, file.path(), {}}, problems};
    EXPECT_FALSE(problems.any()) << problems.report();
    return credential;
}

TEST(Credential, FileIsReadAgain) {
    const TestFile file{"credential", "first\n"};
    const Credential credential = kept_in(file);
    EXPECT_TRUE(credential.may_change());
    EXPECT_EQ(now(credential), "first");
    write(file.path(), "second\n");
    EXPECT_EQ(now(credential), "second");
}

TEST(Credential, FileThatCannotBeReadCountsAsItWasLast) {
    const TestFile file{"credential", "first\n"};
    const Credential credential = kept_in(file);
    write(file.path(), "");
    EXPECT_EQ(now(credential), "first") << "between two contents";
    write(file.path(), "second\n");
    EXPECT_EQ(now(credential), "second");
    std::remove(file.path().c_str());
    EXPECT_EQ(now(credential), "second") << "the first one may be revoked";
}

TEST(Credential, PipeIsReadOnce) {
    const TestFile file{"credential", ""};
    std::remove(file.path().c_str());
    ASSERT_EQ(::mkfifo(file.path().c_str(), 0600), 0);
    std::jthread writer{[&] { write(file.path(), "first\n"); }};
    const Credential credential = kept_in(file);
    EXPECT_EQ(now(credential), "first");
    EXPECT_FALSE(credential.may_change()) << "a second read would wait for ever";
}

TEST(Credential, TextAndVariablesStay) {
    const Credential text{"sluice"};
    EXPECT_EQ(now(text), "sluice");
    EXPECT_FALSE(text.may_change());
    ASSERT_EQ(::setenv("SLUICE_UNIT_CREDENTIAL", "first", 1), 0);
    Problems problems;
    const Credential variable{{SecretReference::Kind::env, "SLUICE_UNIT_CREDENTIAL", {}}, problems};
    ASSERT_EQ(::unsetenv("SLUICE_UNIT_CREDENTIAL"), 0);
    EXPECT_EQ(now(variable), "first");
    EXPECT_FALSE(variable.may_change());
}

TEST(Credential, NoneIsEmpty) {
    EXPECT_TRUE(Credential{}.empty());
    EXPECT_EQ(now({}), "");
}

struct Read {
    std::string user;
    std::string password;
    std::string report;
};

Read read(const std::string& mysql) {
    Reading reading{"mysql: {" + mysql + "}\n"};
    auto section = reading.document().section("mysql");
    const Credential user = read_user(section, "user", reading.problems());
    const Credential password = read_password(section, "password", reading.problems());
    return {now(user), now(password), reading.report()};
}

TEST(Credential, UserIsANameOrAReference) {
    const TestFile file{"user", "from-a-file\n"};
    EXPECT_EQ(read("user: sluice").user, "sluice");
    EXPECT_EQ(read("user: {file: " + file.path() + "}").user, "from-a-file");
    EXPECT_EQ(read("host: x").user, "");
    EXPECT_NE(read("user: [a]").report, "");
    EXPECT_NE(read("user: {fil: x}").report.find("mysql.user must be {file: PATH}"), std::string::npos);
}

TEST(Credential, PasswordIsAReference) {
    const auto plain = read("password: hunter2");
    EXPECT_EQ(plain.password, "");
    EXPECT_NE(plain.report.find("mysql.password must be {file: PATH}"), std::string::npos);
    EXPECT_EQ(plain.report.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
