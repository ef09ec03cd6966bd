#include "consumer/store/driver/row_statements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace sluice::store {
namespace {

TEST(RowStatements, CutEveryCountWithoutARest) {
    const RowStatements statements{"INSERT", "(?)"};
    for (std::size_t count = 0; count <= 1200; ++count) {
        const auto sizes = cut_rows(count);
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), count);
        for (const auto size : sizes) {
            const auto& text = statements.of(size);
            EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '?')), size);
        }
    }
}

TEST(RowStatements, CutLargestFirst) {
    EXPECT_EQ(cut_rows(200), (std::vector<std::size_t>{128, 64, 8}));
    EXPECT_EQ(cut_rows(299), (std::vector<std::size_t>{256, 32, 8, 2, 1}));
    EXPECT_EQ(cut_rows(300), (std::vector<std::size_t>{300}));
    EXPECT_EQ(cut_rows(901), (std::vector<std::size_t>{300, 300, 300, 1}));
}

TEST(RowStatements, PutRowsBetweenHeadAndTail) {
    const RowStatements statements{"INSERT INTO t VALUES", "(?, ?)", " ON DUPLICATE KEY UPDATE a = 1"};
    EXPECT_EQ(statements.of(2), "INSERT INTO t VALUES (?, ?), (?, ?) ON DUPLICATE KEY UPDATE a = 1");
}

TEST(RowStatements, HaveNoOtherSizes) {
    const RowStatements statements{"INSERT", "(?)"};
    EXPECT_THROW(static_cast<void>(statements.of(3)), std::logic_error);
    EXPECT_THROW(static_cast<void>(statements.of(512)), std::logic_error);
    EXPECT_THROW(static_cast<void>(statements.of(0)), std::logic_error);
}

TEST(RowStatements, FitACountIntoTheSmallestSizeThatTakesIt) {
    constexpr std::array<std::size_t, 3> sizes{1, 8, 32};
    EXPECT_EQ(fitting_size(1, sizes), 1U);
    EXPECT_EQ(fitting_size(2, sizes), 8U);
    EXPECT_EQ(fitting_size(32, sizes), 32U);
    EXPECT_EQ(fitting_size(33, sizes), 32U);
}

TEST(RowStatements, ListParameters) {
    EXPECT_EQ(parameter_list(0), "");
    EXPECT_EQ(parameter_list(1), "?");
    EXPECT_EQ(parameter_list(3), "?, ?, ?");
}

}  // namespace
}  // namespace sluice::store
