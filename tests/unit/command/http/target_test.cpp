#include "command/http/target.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

TEST(Target, NamesACommandOrAKeyOfIt) {
    EXPECT_EQ(read_target("/v1/commands/charge"), Target{"charge"});
    EXPECT_EQ(read_target("/v1/commands/charge/k1"), (Target{"charge", "k1"}));
}

TEST(Target, KeysAreDecoded) {
    EXPECT_EQ(read_target("/v1/commands/c/a%2Fb%20c%25+")->key, "a/b c%+");
    EXPECT_EQ(read_target("/v1/commands/c/%c3%A4")->key, "\xc3\xa4");
}

TEST(Target, NamesAreNot) {
    EXPECT_EQ(read_target("/v1/commands/ch%61rge")->name, "ch%61rge") << "which no command has";
}

TEST(Target, NothingElseIsThere) {
    for (const auto* path :
         {"/", "/v1/commands", "/v1/commands/", "/v1/commands//k", "/v1/commands/c/", "/v1/commands/c/k/",
          "/v1/commands/c/k/l", "/v1/Commands/c", "/v1/commands/c/%", "/v1/commands/c/%2",
          "/v1/commands/c/%zz", "/v1/commands/c/%+1", "/v1/commands/c/%2e%2E", "/v1/commands/c/."})
        EXPECT_FALSE(read_target(path)) << path;
    EXPECT_FALSE(read_target("/v1/commands/c/" + std::string(256, 'k')));
}

TEST(Target, PathOfAKeyNamesIt) {
    for (const std::string key : {"k1", "a/b", "%2F", "\"quoted\" \\", "\xc3\xa4", "a?b#c"}) {
        const std::string path = path_of({.command = "charge", .caller = "ads", .key = key});
        EXPECT_EQ(read_target(path), (Target{"charge", key})) << path;
    }
}

}  // namespace
}  // namespace sluice::command
