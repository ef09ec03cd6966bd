// Where the values of `let` come from, besides one pointer.
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

using store::Datum;

class Sources : public testing::Test {
protected:
    void SetUp() override {
        headers.event_id = "evt_1";
        headers.type = "invoice.paid";
        payment[webhook::PaymentFact::kind].value = "paid";
        payment[webhook::PaymentFact::amount].value = std::int64_t{8888};
    }

    /// What `p: let` is for this body; otherwise why there is none.
    std::variant<Datum, std::string> value(const std::string& let, const std::string& json = "{}") {
        config::Problems problems;
        const auto document =
            config::Document::from_text("effects: {p: " + let + "}\n", "test.yaml", problems);
        parameters = read_parameters(*document.value("effects"), true);
        EXPECT_EQ(problems.report(), "");
        EXPECT_TRUE(view.read(json));
        auto got = value_of(parameters.front(), {headers, {view, &payment, kept}}, made);
        if (got) return *got;
        return got.error().why;
    }
    static std::variant<Datum, std::string> text(std::string_view t) { return Datum{t}; }

    record::EventHeaders headers;
    webhook::Payment payment;
    std::vector<record::HeaderView> kept{
        {"http-x-id", "42"}, {"http-x-two", "a"}, {"http-x-two", "b"}, {"x-id", "not of the request"}};
    webhook::JsonView view;
    std::vector<Parameter> parameters;
    std::pmr::monotonic_buffer_resource made;
};

TEST_F(Sources, AreTheFirstPlaceThatIsThere) {
    const std::string order = "[/out_trade_no, /decrypted/out_trade_no, /orderId]";
    EXPECT_EQ(value(order, R"({"out_trade_no": "O-A"})"), text("O-A"));
    EXPECT_EQ(value(order, R"({"out_trade_no": null, "decrypted": {"out_trade_no": "O-B"}})"), text("O-B"));
    EXPECT_EQ(value(order, R"({"orderId": "O-C"})"), text("O-C"));
    EXPECT_EQ(value(order, R"({"orderId": "O-C", "out_trade_no": ""})"), text(""))
        << "an empty text is there";
    EXPECT_EQ(std::get<std::string>(value(order)),
              ":p (/out_trade_no or /decrypted/out_trade_no or /orderId): " +
                  make_error_code(errc::missing_pointer).message());
    EXPECT_EQ(value("{pointer: [/a, /b]}", R"({"b": "B"})"), text("B"));
    EXPECT_EQ(value("{pointer: [/a, /b], default: none}", R"({"b": "B"})"), text("B"));
    EXPECT_EQ(value("{pointer: [/a, /b], default: none}"), text("none"));
    EXPECT_EQ(value("{pointer: [/a, /b], optional: true}"),
              (std::variant<Datum, std::string>{Datum{nullptr}}));
    EXPECT_EQ(value("{pointer: [/a, /b], map: {x: y}, default: none}", R"({"a": "?", "b": "x"})"),
              text("none"));
}

TEST_F(Sources, AreNotSkippedWhereTheyAreWrong) {
    const std::string amount =
        "[{pointer: /total, as: minor, currency: CNY}, {pointer: [/fen, /total_fee], as: int64}]";
    const auto number = [](std::int64_t n) { return std::variant<Datum, std::string>{Datum{n}}; };
    EXPECT_EQ(value(amount, R"({"total": "88.88"})"), number(8888));
    EXPECT_EQ(value(amount, R"({"fen": "8888"})"), number(8888));
    EXPECT_EQ(value(amount, R"({"total_fee": 8888})"), number(8888));
    EXPECT_EQ(std::get<std::string>(value(amount, R"({"total": "8,88", "fen": "8888"})")),
              ":p (/total): \"8,88\" is no number of digits with at most one decimal point");
    EXPECT_TRUE(std::get<std::string>(value("[/a, /b]", R"({"a": "1", "a": "2", "b": "3"})"))
                    .starts_with(":p (/a): "));
}

TEST_F(Sources, AreHeadersOfTheRequest) {
    EXPECT_EQ(value("{header: X-Id}"), text("42"));
    EXPECT_EQ(value("{header: x-id, as: int64}"),
              (std::variant<Datum, std::string>{Datum{std::int64_t{42}}}));
    EXPECT_EQ(std::get<std::string>(value("{header: x-two}")), ":p (header x-two): the header stands twice");
    EXPECT_EQ(std::get<std::string>(value("{header: X-None}")),
              ":p (header x-none): " + make_error_code(errc::missing_pointer).message());
    EXPECT_EQ(value("[{header: x-none}, /id]", R"({"id": "7"})"), text("7"));
}

TEST_F(Sources, AreFieldsOfTheEventAndFactsOfThePayment) {
    EXPECT_EQ(value("{event: event_type}"), text("invoice.paid"));
    EXPECT_EQ(value("{event: event_type, map: {invoice.paid: PAID}}"), text("PAID"));
    EXPECT_EQ(value("[{event: object}, {event: event_id}]"), text("evt_1"));
    EXPECT_EQ(value("{event: payment, map: {paid: 1, refunded: -1}, as: int64}"),
              (std::variant<Datum, std::string>{Datum{std::int64_t{1}}}));
    EXPECT_EQ(value("{event: amount}"), (std::variant<Datum, std::string>{Datum{std::int64_t{8888}}}));
    EXPECT_EQ(value("[{event: reference}, {event: event_id}]"), text("evt_1"));
    payment[webhook::PaymentFact::reference].value = "0042";
    EXPECT_EQ(value("{event: reference, as: int64}"),
              (std::variant<Datum, std::string>{Datum{std::int64_t{42}}}));
    EXPECT_EQ(parameters.front().type(), ParameterType::int64);
    EXPECT_EQ(std::get<std::string>(value("{event: event_id, as: int64}")),
              ":p (event_id): \"evt_1\" is no whole number: digits, with nothing before them but a minus");
    payment[webhook::PaymentFact::reference].trouble = "/a is missing";
    EXPECT_EQ(std::get<std::string>(value("[{event: reference}, {event: event_id}]")),
              ":p (reference): /a is missing");
}

TEST_F(Sources, AreConstants) {
    EXPECT_EQ(value("{value: alipay}"), text("alipay"));
    EXPECT_EQ(value("{value: 7, as: int64}"), (std::variant<Datum, std::string>{Datum{std::int64_t{7}}}));
    EXPECT_EQ(value("[/attach, {value: none}]"), text("none"));
}

}  // namespace
}  // namespace sluice::effects
