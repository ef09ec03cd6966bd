#include "consumer/effects/set_based/table_wish.hpp"

#include <gtest/gtest.h>

namespace sluice::effects {
namespace {

TableWish wish() {
    return {.columns = {{.name = "id", .type = "VARCHAR(255)", .nullable = false},
                        {.name = "email", .type = "VARCHAR(64)", .is_given = true},
                        {.name = "version", .type = "BIGINT", .nullable = false}},
            .keys = 1};
}

store::TableFacts table(const std::vector<std::pair<std::string, std::string>>& columns) {
    store::TableFacts facts;
    for (const auto& [name, type] : columns) {
        facts.columns.emplace_back();
        facts.columns.back().name = name;
        facts.columns.back().type = type;
    }
    facts.rolls_back = true;
    facts.unique = {{"PRIMARY", {"id"}}};
    return facts;
}

TEST(TableWish, MakesATableThatIsMissing) {
    const auto plan = plan_table("thing", wish(), std::nullopt, false);
    EXPECT_TRUE(plan.is_missing);
    EXPECT_EQ(plan.columns, (std::vector<std::string>{"id", "email", "version"}));
    EXPECT_EQ(
        plan.statement,
        "CREATE TABLE `thing` (\n  `id` VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT "
        "NULL,\n  `email` VARCHAR(64) NULL,\n  `version` BIGINT NOT NULL,\n  PRIMARY KEY (`id`)\n) "
        "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
    EXPECT_TRUE(plan_table("thing", wish(), std::nullopt, true).statement.contains("utf8mb4_nopad_bin"));
}

TEST(TableWish, AddsColumnsThatCanBeNull) {
    const auto plan =
        plan_table("thing", wish(), table({{"ID", "varchar(255)"}, {"version", "bigint(20)"}}), false);
    EXPECT_FALSE(plan.is_missing);
    EXPECT_EQ(plan.statement, "ALTER TABLE `thing`\n  ADD COLUMN `email` VARCHAR(64) NULL");
    EXPECT_TRUE(plan.differs.empty());
}

TEST(TableWish, LeavesATableAloneThatCannotBeTheMirrors) {
    const auto differs = [](const store::TableFacts& facts) {
        const auto plan = plan_table("orders", wish(), facts, false);
        EXPECT_EQ(plan.statement, "");
        EXPECT_TRUE(plan.columns.empty());
        return plan.differs;
    };
    EXPECT_EQ(
        differs(table({{"id", "varchar(255)"}})),
        std::vector<std::string>{"it has no column version, which rows that are there would lack: mirror "
                                 "into a table of its own"});
    auto without_index = table({{"id", "varchar(255)"}, {"version", "bigint"}});
    without_index.unique = {{"PRIMARY", {"no"}}};
    EXPECT_TRUE(differs(without_index).front().starts_with("no unique index of it consists only of columns"));
    auto on_disk_only = table({{"id", "varchar(255)"}, {"version", "bigint"}});
    on_disk_only.rolls_back = false;
    EXPECT_TRUE(differs(on_disk_only).front().starts_with("it is no InnoDB table"));
}

TEST(TableWish, ComparesTextsOfAKeyByTheirBytesHoweverTheTypeIsWritten) {
    auto other = wish();
    other.columns.front().type = "VarChar(64)";
    EXPECT_TRUE(plan_table("thing", other, std::nullopt, false).statement.contains("utf8mb4_0900_bin"));
}

TEST(TableWish, SaysWhereAColumnHasAnotherSize) {
    const auto with_email = [](const std::string& type) {
        return plan_table("thing", wish(),
                          table({{"id", "varchar(191)"}, {"email", type}, {"version", "bigint"}}), false)
            .differs;
    };
    EXPECT_EQ(
        with_email("varchar(32)"),
        std::vector<std::string>{
            "email is varchar(32), and the file says VARCHAR(64): change it yourself if that is meant"});
    EXPECT_TRUE(with_email("varchar(64)").empty()) << "and the key's is not given by the file";
    EXPECT_TRUE(with_email("text").empty());
}

TEST(TableWish, TypesAreWordsWithASize) {
    for (const auto* type : {"INT", "varchar(64)", "DECIMAL(20,2)", "DECIMAL( 20 , 2 )", "BIGINT UNSIGNED",
                             "DATETIME(6)", "LONGTEXT"})
        EXPECT_TRUE(is_column_type(type)) << type;
    for (const auto* type : {"", "INT; DROP TABLE x", "INT NOT NULL", "ENUM('a')", "INT -- x", "VARCHAR(64",
                             "`INT`", "VARCHAR(999999)"})
        EXPECT_FALSE(is_column_type(type)) << type;
}

}  // namespace
}  // namespace sluice::effects
