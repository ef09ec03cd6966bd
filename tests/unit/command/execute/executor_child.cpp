#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/command/execute/executor_fixture.hpp"

namespace sluice::command {
namespace {

/// What tests of crashes start: this program again, in the database of the test. By itself it never runs.
class ExecutorChild : public ExecutorTest {
protected:
    void SetUp() override {
        database = std::getenv(database_of_child);
        read();
    }
    void TearDown() override {}
};

TEST_F(ExecutorChild, DISABLED_ExecutesOnce) {
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Answer::Kind::executed);
}

}  // namespace
}  // namespace sluice::command
