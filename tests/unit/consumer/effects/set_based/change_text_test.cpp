#include "consumer/effects/set_based/change_text.hpp"

#include <gtest/gtest.h>

namespace sluice::effects {
namespace {

const Operand literal{.kind = Operand::Kind::literal, .text = "x", .parameter = 0, .is_negative = false};
const Operand varying{.kind = Operand::Kind::parameter, .text = {}, .parameter = 0, .is_negative = false};
const KeyedTable by_customer{"wallet", {"customer"}, ""};
const KeyedTable by_two{"account", {"no", "tenant"}, "by_no"};

TEST(ChangeText, InsertsAllColumnsInTheirOrder) {
    const Change change{
        {}, "entry", Insertion{{{"event", varying, {}}, {"amount", varying, {}}}, Outcome::park}};
    EXPECT_EQ(insert_head(change), "INSERT INTO `entry` (`event`, `amount`) VALUES");
    EXPECT_EQ(insert_row(change), "(?, ?)");
}

TEST(ChangeText, LocksByOneKeyOrMany) {
    const std::vector<std::string> outputs{"`balance`"};
    EXPECT_EQ(lock_text(by_customer, outputs, 1),
              "SELECT `customer`, `balance` FROM `wallet` WHERE `customer` = ? FOR UPDATE");
    EXPECT_EQ(lock_text(by_customer, outputs, 3),
              "SELECT `customer`, `balance` FROM `wallet` WHERE `customer` IN (?, ?, ?) FOR UPDATE");
    EXPECT_EQ(
        lock_text(by_two, {}, 2),
        "SELECT `no`, `tenant` FROM `account` FORCE INDEX (`by_no`) WHERE (`no` = ? AND `tenant` = ?) OR "
        "(`no` = ? AND `tenant` = ?) FOR UPDATE");
}

TEST(ChangeText, AddsToEachRowItsOwn) {
    EXPECT_EQ(add_text(by_customer, "balance", 1),
              "UPDATE `wallet` SET `balance` = `balance` + ? WHERE `customer` = ?");
    EXPECT_EQ(
        add_text(by_customer, "balance", 2),
        "UPDATE `wallet` SET `balance` = `balance` + CASE `customer` WHEN ? THEN ? WHEN ? THEN ? END WHERE "
        "`customer` IN (?, ?)");
    EXPECT_TRUE(add_text(by_two, "points", 2).contains("CASE WHEN `no` = ? AND `tenant` = ? THEN ? WHEN"));
}

TEST(ChangeText, SetsConstantsOnceAndTheRestByRow) {
    Assignment assignment;
    assignment.row = {{"status", literal, {}}, {"by", varying, {}}};
    EXPECT_EQ(set_text(by_customer, assignment.row, 1),
              "UPDATE `wallet` SET `status` = ?, `by` = ? WHERE `customer` = ?");
    EXPECT_EQ(
        set_text(by_customer, assignment.row, 2),
        "UPDATE `wallet` SET `status` = ?, `by` = CASE `customer` WHEN ? THEN ? WHEN ? THEN ? END WHERE "
        "`customer` IN (?, ?)");
}

TEST(ChangeText, SetsOneRowIfItsGuardsHold) {
    Assignment assignment;
    assignment.row = {{"status", literal, {}}};
    EXPECT_EQ(set_guarded_text(by_two, assignment),
              "UPDATE `account` FORCE INDEX (`by_no`) SET `status` = ? WHERE `no` = ? AND `tenant` = ?");
    assignment.when = {{"status", {literal, literal}, {}}};
    EXPECT_EQ(set_guarded_text(by_customer, assignment),
              "UPDATE `wallet` SET `status` = ? WHERE `customer` = ? AND (`status` <=> ? OR `status` <=> ?)");
}

TEST(ChangeText, UpsertsTheKeyThenTheRow) {
    Upsert upsert;
    upsert.key = {{"id", varying, {}}};
    upsert.row = {{"status", literal, {}}, {"version", varying, {}}};
    const Change change{{}, "entry", upsert};
    EXPECT_EQ(insert_head(change), "INSERT INTO `entry` (`id`, `status`, `version`) VALUES");
    EXPECT_EQ(insert_row(change), "(?, ?, ?)");
    EXPECT_TRUE(set_text(by_customer, upsert.row, 2, Constants::by_row)
                    .starts_with("UPDATE `wallet` SET `status` = CASE `customer` WHEN ?"));
}

TEST(ChangeText, GuardsWithNullAsAValue) {
    Assignment assignment;
    EXPECT_EQ(guard_text(assignment), "1");
    assignment.when = {{"status", {literal, literal}, {}}, {"kind", {varying}, {}}};
    EXPECT_EQ(guard_text(assignment), "(`status` <=> ? OR `status` <=> ?) AND (`kind` <=> ?)");
}

}  // namespace
}  // namespace sluice::effects
