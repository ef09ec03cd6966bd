#include "consumer/effects/set_based/change_check.hpp"

#include <gtest/gtest.h>

namespace sluice::effects {
namespace {

using store::ColumnFacts;
using store::TableFacts;

ColumnFacts column(const std::string& name, const std::string& type, ColumnFacts::Kind kind) {
    ColumnFacts facts;
    facts.name = name;
    facts.type = type;
    facts.kind = kind;
    facts.bytes = kind == ColumnFacts::Kind::integer ? 8 : 0;
    facts.precision = kind == ColumnFacts::Kind::decimal ? 10 : 0;
    return facts;
}

TableFacts wallet() {
    TableFacts facts;
    facts.rolls_back = true;
    facts.columns = {column("customer", "varchar(64)", ColumnFacts::Kind::text),
                     column("tenant", "int", ColumnFacts::Kind::integer),
                     column("balance", "bigint", ColumnFacts::Kind::integer),
                     column("rate", "double", ColumnFacts::Kind::other),
                     column("at", "datetime(6)", ColumnFacts::Kind::time)};
    facts.unique = {{"PRIMARY", {"customer", "tenant"}}};
    return facts;
}

Parameter named(const std::string& name, ParameterType type) {
    Parameter one;
    one.name = name;
    const As as = type == ParameterType::int64  ? As::int64
                  : type == ParameterType::time ? As::time
                                                : As::text;
    one.from.push_back({.conversion = {.as = as}});
    return one;
}

const std::vector<Parameter> some_let{named("customer", ParameterType::text),
                                      named("amount", ParameterType::int64),
                                      named("when", ParameterType::time)};

Operand from_let(std::size_t number) {
    return {.kind = Operand::Kind::parameter, .text = {}, .parameter = number, .is_negative = false};
}

Cell cell(const std::string& name, std::size_t number) {
    return {name, from_let(number), {"test.yaml", 9, 1}};
}

std::string report(const decltype(Change::what)& what, const TableFacts& facts) {
    config::Problems problems;
    check_table({{"test.yaml", 5, 1}, "wallet", what}, some_let, facts, "e", problems);
    return problems.report();
}

Upsert upsert(Cell newer) {
    Upsert one;
    one.key = {cell("customer", 0), cell("tenant", 1)};
    one.newer = {newer};
    one.row = {std::move(newer)};
    return one;
}

/// The wallet with columns that can be left out, and one of this type.
TableFacts with(const std::string& name, const std::string& type, ColumnFacts::Kind kind) {
    auto facts = wallet();
    facts.columns.push_back(column(name, type, kind));
    for (auto& one : facts.columns) one.may_be_left_out = true;
    return facts;
}

Addition addition(std::vector<Cell> key, const std::string& onto) {
    Addition one;
    one.key = std::move(key);
    one.column = onto;
    one.by = from_let(1);
    return one;
}

TEST(CheckTable, PassesWhatFits) {
    EXPECT_EQ(report(addition({cell("customer", 0), cell("tenant", 1)}, "balance"), wallet()), "");
    EXPECT_EQ(report(addition({cell("CUSTOMER", 0), cell("tenant", 0)}, "balance"), wallet()), "");
}

TEST(CheckTable, WantsAUniqueIndexWithinTheKey) {
    const auto said = report(addition({cell("customer", 0)}, "balance"), wallet());
    EXPECT_TRUE(
        said.contains("test.yaml:5: effect 'e': add into wallet: no unique index consists only of columns of "
                      "the key (customer)"))
        << said;
    auto narrower = wallet();
    narrower.unique = {{"one", {"tenant"}}};
    EXPECT_EQ(report(addition({cell("customer", 0), cell("tenant", 1)}, "balance"), narrower), "");
    narrower.unique = {{"expression", {"tenant", ""}}};
    EXPECT_NE(report(addition({cell("customer", 0), cell("tenant", 1)}, "balance"), narrower), "");
}

TEST(CheckTable, WantsKeysThatCompareAsWritten) {
    const auto said = report(addition({cell("customer", 1), cell("tenant", 1)}, "balance"), wallet());
    EXPECT_TRUE(said.contains("test.yaml:9") && said.contains("holds text and the key is a number")) << said;
    auto by_rate = wallet();
    by_rate.unique = {{"rate", {"rate"}}};
    EXPECT_TRUE(report(addition({cell("rate", 1)}, "balance"), by_rate).contains("cannot be a key column"));
}

TEST(CheckTable, WantsSumsThatAreExactAndNeverNull) {
    const std::vector<Cell> key{cell("customer", 0), cell("tenant", 1)};
    EXPECT_TRUE(report(addition(key, "rate"), wallet()).contains("cannot add up amounts exactly"));
    auto facts = wallet();
    facts.columns[2].nullable = true;
    EXPECT_TRUE(report(addition(key, "balance"), facts).contains("can be NULL"));
}

TEST(CheckTable, WantsWhatHasNoDefault) {
    Insertion insertion;
    insertion.row = {cell("customer", 0), cell("tenant", 1), cell("balance", 1), cell("rate", 1)};
    EXPECT_TRUE(report(insertion, wallet()).contains("the column at (datetime(6)) has no default"));
    insertion.row.push_back(cell("at", 2));
    EXPECT_EQ(report(insertion, wallet()), "");
    insertion.row.back() = cell("at", 1);
    EXPECT_TRUE(report(insertion, wallet()).contains("does not take a whole number"));
    insertion.row.back() = {"at", {}, {"test.yaml", 9, 1}};
    EXPECT_TRUE(report(insertion, wallet()).contains("cannot be null"));
}

TEST(CheckTable, WantsATableThatRollsBack) {
    auto facts = wallet();
    facts.rolls_back = false;
    EXPECT_TRUE(report(Insertion{}, facts).contains("not an InnoDB table"));
}

TEST(CheckTable, TakesForNewerOnlyWhatTheColumnGivesBack) {
    auto facts = wallet();
    facts.columns.push_back(column("seconds", "datetime", ColumnFacts::Kind::time));
    facts.columns.push_back(column("by", "varbinary(64)", ColumnFacts::Kind::text));
    facts.columns.push_back(column("longer", "longblob", ColumnFacts::Kind::text));
    facts.columns.push_back(column("bin", "varchar(64)", ColumnFacts::Kind::text));
    facts.columns.push_back(column("fixed", "binary(64)", ColumnFacts::Kind::text));
    for (auto& one : facts.columns) one.is_byte_exact = one.name != "customer";
    for (auto& one : facts.columns) one.may_be_left_out = true;
    EXPECT_EQ(report(upsert(cell("balance", 1)), facts), "");
    EXPECT_EQ(report(upsert(cell("at", 2)), facts), "");
    EXPECT_EQ(report(upsert(cell("by", 0)), facts), "");
    EXPECT_EQ(report(upsert(cell("longer", 0)), facts), "");
    const std::pair<Cell, std::string> cases[] = {
        {cell("seconds", 2),
         "the column seconds (datetime) cannot say how new a row is by a time: use DATETIME(6)"},
        {cell("customer", 0), "(varchar(64)) cannot say how new a row is by a text: use VARBINARY or BLOB"},
        {cell("bin", 0), "bin (varchar(64)) cannot say how new a row is by a text: use VARBINARY or BLOB"},
        {cell("fixed", 0), "fixed (binary(64)) cannot say how new a row is by a text: use VARBINARY or BLOB"},
        {cell("at", 0), "at (datetime(6)) cannot say how new a row is by a text: read it with as: time"},
        {cell("rate", 1), "(double) cannot say how new a row is by a whole number: use a column of whole"},
        {cell("balance", 0), "(bigint) cannot say how new a row is by a text: read it with as: int64"}};
    for (const auto& [newer, says] : cases) {
        const auto said = report(upsert(newer), facts);
        EXPECT_TRUE(said.contains(says)) << said;
    }
    for (auto& one : facts.columns) one.nullable = true;
    const auto said = report(upsert(cell("balance", 1)), facts);
    EXPECT_TRUE(said.contains("balance (bigint) can be NULL, and NULL is neither newer nor older")) << said;
}

TEST(CheckTable, WantsWholeNumbersForAnUpsertsKeyOfWholeNumbers) {
    const auto facts = with("by", "varbinary(64)", ColumnFacts::Kind::text);
    const std::string says =
        "test.yaml:9: effect 'e': upsert into wallet: the column tenant (int) holds whole numbers and the "
        "key "
        "is not one: read it with as: int64";
    const Operand event_id{.kind = Operand::Kind::built_in, .text = "event_id"};
    const Operand constant{.kind = Operand::Kind::literal, .text = "7e0"};
    for (const auto& value : {from_let(0), event_id, constant}) {
        auto by_text = upsert(cell("balance", 1));
        by_text.key.back().value = value;
        const auto said = report(by_text, facts);
        EXPECT_TRUE(said.contains(says)) << said;
    }
    EXPECT_EQ(report(upsert(cell("balance", 1)), facts), "");
}

TEST(CheckTable, WantsAnUpsertsKeyToStayAsItIsWritten) {
    for (const std::string type : {"char(8)", "binary(16)"}) {
        auto facts = with("no", type, ColumnFacts::Kind::text);
        facts.unique = {{"PRIMARY", {"no"}}};
        auto by_no = upsert(cell("balance", 1));
        by_no.key = {cell("no", 0)};
        const auto said = report(by_no, facts);
        EXPECT_TRUE(said.contains("no (" + type + ") pads or cuts its values") &&
                    said.contains("use VARBINARY, VARCHAR or an integer"))
            << said;
        EXPECT_EQ(report(addition({cell("no", 0)}, "balance"), facts), "");
        facts.columns.back().type = "var" + type;
        EXPECT_EQ(report(by_no, facts), "");
    }
}

TEST(CheckTable, WantsGuardsThatCompareAsWritten) {
    const auto fixed = [](const std::string& text) {
        return Operand{.kind = Operand::Kind::literal, .text = text};
    };
    const auto guarded = [](const std::string& name, const Operand& value) {
        Assignment one;
        one.key = {cell("customer", 0), cell("tenant", 1)};
        one.when = {{name, {Operand{}, value}, {"test.yaml", 9, 1}}};
        return report(one, wallet());
    };
    const std::pair<std::string, Operand> wrong[] = {
        {"balance", fixed("true")}, {"balance", from_let(0)}, {"balance", fixed("12345678901234567")},
        {"customer", from_let(1)},  {"rate", from_let(0)},    {"at", from_let(1)},
        {"balance", from_let(2)},   {"rate", fixed("pi_1")}};
    for (const auto& [name, value] : wrong) {
        const auto said = guarded(name, value);
        EXPECT_TRUE(said.contains("test.yaml:9: effect 'e': set into wallet: the column " + name) &&
                    said.contains("cannot be compared with"))
            << name << ": " << said;
    }
    const std::pair<std::string, Operand> right[] = {{"balance", fixed("1")},     {"balance", from_let(1)},
                                                     {"customer", fixed("PAID")}, {"customer", from_let(0)},
                                                     {"rate", fixed("-8.5")},     {"at", from_let(2)}};
    for (const auto& [name, value] : right) EXPECT_EQ(guarded(name, value), "") << name;
}

TEST(TableFacts, ComputeWithGeneratedColumnsAndIndexesOfExpressions) {
    auto facts = wallet();
    EXPECT_FALSE(facts.computes());
    facts.unique.push_back({"lower_mail", {"tenant", ""}});
    EXPECT_TRUE(facts.computes());
    facts = wallet();
    facts.has_generated = true;
    EXPECT_TRUE(facts.computes());
}

TEST(CheckTable, WantsATombstoneThatCanBeNull) {
    auto facts = wallet();
    for (auto& one : facts.columns) one.may_be_left_out = true;
    auto keeps = upsert(cell("balance", 1));
    keeps.tombstone = "at";
    keeps.row.push_back({"at", {}, {"test.yaml", 9, 1}});
    auto said = report(keeps, facts);
    EXPECT_TRUE(said.contains("at (datetime(6)) is the tombstone and cannot be NULL")) << said;
    facts.columns.back().nullable = true;
    EXPECT_EQ(report(keeps, facts), "");
}

TEST(CheckTable, WantsAllColumnsOfARowThatAnUpsertMakes) {
    const auto said = report(upsert(cell("balance", 1)), wallet());
    EXPECT_TRUE(said.contains("the column at (datetime(6)) has no default, and row does not set it")) << said;
    EXPECT_FALSE(said.contains("tenant (int) has no default")) << said;
}

TEST(CheckTable, WantsColumnsOfAMirrorThatCanBeNull) {
    auto let = some_let;
    let.front().optional = true;
    auto mirror = upsert(cell("balance", 1));
    mirror.wish.emplace();
    mirror.row.push_back(cell("at", 2));
    mirror.row.push_back(cell("name", 0));
    auto facts = wallet();
    facts.columns.push_back(column("name", "text", ColumnFacts::Kind::text));
    const auto said = [&] {
        config::Problems problems;
        check_table({{"test.yaml", 5, 1}, "wallet", mirror}, let, facts, "e", problems);
        return problems.report();
    };
    EXPECT_TRUE(
        said().contains("test.yaml:9: effect 'e': mirror into wallet: the column name (text) cannot be "
                        "NULL, and the event may not have the value"))
        << said();
    EXPECT_FALSE(said().contains("column balance"));
    facts.columns.back().nullable = true;
    EXPECT_FALSE(said().contains("column name")) << said();
}

TEST(CheckTable, RefusesColumnsThatWouldRound) {
    auto let = some_let;
    let.front().from.front().conversion = {.as = As::decimal, .scale = 3};
    const auto said = [&let](const ColumnFacts& price) {
        auto facts = wallet();
        facts.columns.push_back(price);
        config::Problems problems;
        check_table({{"test.yaml", 5, 1}, "wallet", Insertion{.row = {cell("price", 0)}}}, let, facts, "e",
                    problems);
        return problems.report();
    };
    auto price = column("price", "decimal(10,2)", ColumnFacts::Kind::decimal);
    price.scale = 2;
    EXPECT_TRUE(
        said(price).contains("the column price (decimal(10,2)) would round values with 3 digits behind "
                             "the point: use DECIMAL(38,3)"))
        << said(price);
    price.scale = 3;
    EXPECT_FALSE(said(price).contains("would round")) << said(price);
    EXPECT_TRUE(said(column("price", "bigint", ColumnFacts::Kind::integer)).contains("would round"));
    EXPECT_FALSE(said(column("price", "text", ColumnFacts::Kind::text)).contains("would round"));
}

}  // namespace
}  // namespace sluice::effects
