#include "consumer/handlers/give_vouchers.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "tests/unit/consumer/handlers/scripted_transaction.hpp"

namespace sluice::handlers {
namespace {

using effects::Handled;
using effects::Outcome;

// By their places in Handler::statements.
constexpr std::size_t order = 0;
constexpr std::size_t codes = 1;
constexpr std::size_t give = 2;
constexpr std::size_t finish = 3;

store::Row an_order(std::int64_t quantity) {
    return {"PENDING", "gold", quantity, std::int64_t{8888}, "CNY", ""};
}

store::Row a_given_order(const std::string& paid_by) {
    return {"GIVEN", "gold", std::int64_t{2}, std::int64_t{8888}, "CNY", paid_by};
}

Result<Handled> paid(ScriptedTransaction& transaction, std::int64_t amount = 8888,
                     std::string_view currency = "CNY") {
    const record::EventHeaders headers;
    const std::vector<store::Datum> values{"O-17", "T-1", amount, currency};
    auto handled = give_vouchers().handle({headers, values}, transaction);
    EXPECT_TRUE(transaction.is_over()) << "not all was asked for";
    return handled;
}

TEST(GiveVouchers, GivesTheLowestFreeCodesToTheOrder) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{an_order(2)}});
    transaction.finds(codes, {{{"A1"}, {"A2"}}});
    transaction.matches(give);
    transaction.matches(give);
    transaction.matches(finish);
    EXPECT_EQ(paid(transaction)->outcome, Outcome::done);
    const std::vector<std::vector<std::string>> bound{
        {"O-17"}, {"gold", "2"}, {"O-17", "A1"}, {"O-17", "A2"}, {"T-1", "O-17"}};
    EXPECT_EQ(transaction.bound, bound);
}

TEST(GiveVouchers, LeaveTooFewCodesToAPerson) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{an_order(3)}});
    transaction.finds(codes, {{{"A1"}, {"A2"}}});
    const auto handled = paid(transaction);
    EXPECT_EQ(handled->outcome, Outcome::park);
    EXPECT_EQ(handled->case_class, "sold_out");
    EXPECT_EQ(handled->reason, "the order wants 3 codes of gold, free are 2");
}

TEST(GiveVouchers, LeaveAnotherAmountOrCurrencyToAPerson) {
    for (const auto& [amount, currency] :
         std::vector<std::pair<std::int64_t, std::string_view>>{{8887, "CNY"}, {8888, "JPY"}}) {
        ScriptedTransaction transaction;
        transaction.finds(order, {{an_order(1)}});
        EXPECT_EQ(paid(transaction, amount, currency)->case_class, "amount_mismatch");
    }
}

TEST(GiveVouchers, GiveAnOrderItsCodesOnce) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{a_given_order("T-1")}});
    EXPECT_EQ(paid(transaction)->outcome, Outcome::ignore);
}

TEST(GiveVouchers, LeaveASecondPaymentToAPerson) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{a_given_order("T-0")}});
    const auto handled = paid(transaction);
    EXPECT_EQ(handled->outcome, Outcome::park);
    EXPECT_EQ(handled->case_class, "paid_twice");
    EXPECT_EQ(handled->reason, "the order was paid by T-0, and T-1 pays it again");
}

TEST(GiveVouchers, AskNobodyAboutAnOrderThatVersionOneGave) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{a_given_order("")}});
    EXPECT_EQ(paid(transaction)->outcome, Outcome::ignore);
}

TEST(GiveVouchers, WaitForTheOrder) {
    ScriptedTransaction transaction;
    transaction.finds(order, {});
    EXPECT_EQ(paid(transaction)->outcome, Outcome::defer);
}

TEST(GiveVouchers, StopAtAStatementThatFails) {
    ScriptedTransaction transaction;
    transaction.finds(order, {{an_order(2)}});
    transaction.finds(codes, {{{"A1"}, {"A2"}}});
    transaction.matches(give, Failure{make_error_code(errc::timed_out)});
    EXPECT_EQ(paid(transaction).error(), errc::timed_out);
}

}  // namespace
}  // namespace sluice::handlers
