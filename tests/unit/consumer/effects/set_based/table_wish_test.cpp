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

TEST(TableWish, AddsNoColumnThatOldRowsHaveNoValueFor) {
    const auto plan =
        plan_table("thing", wish(), table({{"id", "varchar(255)"}, {"email", "varchar(64)"}}), false);
    EXPECT_EQ(plan.statement, "");
    ASSERT_EQ(plan.differs.size(), 1U);
    EXPECT_TRUE(
        plan.differs.front().starts_with("version is missing, and rows that are there have no value"));
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
