#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/command/execute/together_worker_fixture.hpp"

namespace sluice::command {
namespace {

/// What tests of crashes start: this program again, in the database of the test.
class TogetherChild : public TogetherWorkerTest {
protected:
    void SetUp() override {
        database = std::getenv(database_of_child);
        read();
        begin();
    }
    void TearDown() override {}
};

TEST_F(TogetherChild, DISABLED_ExecutesTogether) {
    for (const Answer& one : told_together(deposits()))
        EXPECT_EQ(one.kind, Answer::Kind::executed) << one.why;
}

TEST_F(TogetherChild, DISABLED_DoubtsTheCommit) {
    for (const auto& one : together(deposits())) EXPECT_EQ(one->end, Attempted::End::doubtful);
}

}  // namespace
}  // namespace sluice::command
