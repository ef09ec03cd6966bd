#include "consumer/database/server_moves.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

TEST(ServerMoves, CountsEachMoveAlsoTheOneBack) {
    ServerMoves moves;
    EXPECT_EQ(moves.found("a"), 0u) << "the first";
    EXPECT_EQ(moves.found("a"), 0u);
    EXPECT_EQ(moves.found("b"), 1u);
    EXPECT_EQ(moves.found("a"), 2u);
    EXPECT_EQ(moves.found("a"), 2u);
    EXPECT_EQ(moves.count(), 2u);
}

}  // namespace
}  // namespace sluice::consumer
