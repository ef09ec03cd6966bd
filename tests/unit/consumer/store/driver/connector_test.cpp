#include "consumer/store/driver/connector.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "consumer/store/driver/error.hpp"

namespace sluice::store {
namespace {

TEST(ConnectorErrors, KeepCodeStateAndWords) {
    const auto failed = attempt([]() -> int { throw sql::SQLException{"Duplicate entry", "23000", 1062}; });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, 1062U);
    EXPECT_EQ(failed.error().sqlstate, "23000");
    EXPECT_EQ(failed.error().message, "Duplicate entry");
}

TEST(ConnectorErrors, WithoutACodeGiveTheSessionUp) {
    for (const int code : {0, -1}) {
        const auto failed =
            attempt([code]() -> int { throw sql::SQLException{"Value not set", "HY000", code}; });
        ASSERT_FALSE(failed);
        EXPECT_EQ(classify(failed.error().code, failed.error().sqlstate.c_str()), ErrorClass::connection);
    }
    const auto refused = attempt([]() -> int { throw sql::InvalidArgumentException{"invalid type"}; });
    EXPECT_EQ(classify(refused.error().code, "HY000"), ErrorClass::connection);
}

TEST(Connector, IsOneForAllThreads) {
    const sql::Driver* other = nullptr;
    std::thread{[&] { other = &connector(); }}.join();
    EXPECT_EQ(other, &connector());
}

TEST(LoginFile, NamesNoWayThatShowsThePassword) {
    std::ifstream file{login_file()};
    const std::string text{std::istreambuf_iterator{file}, {}};
    EXPECT_TRUE(text.contains("restricted-auth=")) << text;
    EXPECT_TRUE(text.contains("caching_sha2_password")) << text;
    EXPECT_FALSE(text.contains("clear")) << text;
    EXPECT_FALSE(text.contains("dialog")) << text;
}

}  // namespace
}  // namespace sluice::store
