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

TEST(Table, WrapsANoteBetweenWordsAndCutsNothing) {
    Table table{{"ID"}};
    table.row({"1"});
    const std::string words = "an order that was paid twice, ";
    table.note(words + words + words);
    table.row({"2"});
    table.note("");
    table.row({"3"});
    table.note(std::string(90, 'x') + "\x1b[2J");
    EXPECT_EQ(table.text(),
              "ID\n"
              " 1\n"
              "    an order that was paid twice, an order that was paid twice, an order that\n"
              "    was paid twice,\n"
              " 2\n"
              " 3\n"
              "    " +
                  std::string(76, 'x') +
                  "\n"
                  "    " +
                  std::string(14, 'x') + " [2J\n");
}

TEST(Table, NeverWrapsWithinACharacter) {
    Table table{{"ID"}};
    table.row({"1"});
    std::string yuan;
    for (int i = 0; i < 100; ++i) yuan += "\u5143";
    table.note(yuan);
    std::string lines;
    for (const int count : {76, 24}) {
        lines += "    ";
        for (int i = 0; i < count; ++i) lines += "\u5143";
        lines += "\n";
    }
    EXPECT_EQ(table.text(), "ID\n 1\n" + lines);
}

}  // namespace sluice::ctl
