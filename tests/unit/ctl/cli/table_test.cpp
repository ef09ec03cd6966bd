#include "ctl/cli/table.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {

TEST(Table, PutsNumbersToTheRightAndTextToTheLeft) {
    Table table{{"KIND", "COUNT"}};
    table.row({"fresh", "7"});
    table.row({"forged", "1200"});
    EXPECT_EQ(table.text(),
              "KIND    COUNT\n"
              "fresh       7\n"
              "forged   1200\n");
}

TEST(Table, CountsCharactersNotBytes) {
    Table table{{"NAME", "X"}};
    table.row({"Zoë", "a"});
    table.row({"Zoee", "b"});
    EXPECT_EQ(table.text(), "NAME  X\nZoë   a\nZoee  b\n");
}

TEST(Table, LetsNothingFromOutsideDrawOnTheTerminal) {
    Table table{{"ID"}};
    table.row({"a\x1b[2Jb\nc\rd\x7f"});
    EXPECT_EQ(table.text(), "ID\na [2Jb c d\n");
}

TEST(Table, FillsMissingCells) {
    Table table{{"A", "B"}};
    table.row({"x"});
    EXPECT_EQ(table.text(), "A  B\nx\n");
}

}  // namespace sluice::ctl
