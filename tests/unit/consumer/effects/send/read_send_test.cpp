#include <gtest/gtest.h>

#include "consumer/effects/set_based/change_effect.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

constexpr const char* destinations = R"(destinations:
  orders: {kafka: {topic: order-events}}
  mail: {kafka: {topic: mail}}
)";

auto read_sending(const std::string& effects) {
    return read_with(destinations + ("effects:\n" + effects),
                     [](const config::Document& document, config::Problems& problems) {
                         return EffectSet::read(document, sources(), problems);
                     });
}

/// One event through the first effect: what its last change would insert, by column.
std::map<std::string, store::Datum> message_of(const EffectSet& set, const std::string& json,
                                               std::pmr::memory_resource& made, std::size_t from_behind = 0) {
    static record::EventHeaders headers;
    headers.event_id = "evt_1";
    headers.type = "a";
    headers.source = "stripe-eu";
    headers.object = "pi_1";
    static webhook::JsonView view;
    EXPECT_TRUE(view.read(json));
    static std::vector<store::Datum> values;
    values.clear();
    const auto* effect = set.all().front()->set_based();
    EXPECT_FALSE(set.all().front()->evaluate({headers, {view}}, values, made));
    const auto& changes = effect->changes();
    const auto& insertion = std::get<Insertion>(changes[changes.size() - 1 - from_behind].what);
    std::map<std::string, store::Datum> row;
    for (const auto& cell : insertion.row) row[cell.column] = value_of(cell.value, {values, headers}).value();
    return row;
}

std::string_view text(const store::Datum& value) {
    return std::get<std::string_view>(value);
}

TEST(Send, WritesTheBodyAsTheFileHasIt) {
    const auto reading = read_sending(
        "  - name: e\n    when: {type: a}\n    let: {order: /order, amount: {pointer: /amount, as: int64}, "
        "live: {pointer: /live, as: boolean}, note: {pointer: /note, optional: true}}\n"
        "    send: {to: orders, key: \":order\", body: {order: \":order\", amount: \":amount\", minus: "
        "\"-:amount\", live: \":live\", note: \":note\", kind: order-paid, version: 2, text: \"2\", list: "
        "[1, "
        "true, {deep: \":order\"}]}}\n");
    ASSERT_EQ(reading.report, "");
    std::pmr::monotonic_buffer_resource made;
    const auto row = message_of(reading.value, R"({"order": "O\"1\n", "amount": 8888, "live": true})", made);
    EXPECT_EQ(text(row.at("body")),
              R"({"order":"O\"1\n","amount":8888,"minus":-8888,"live":true,"note":null,"kind":"order-paid",)"
              R"("version":2,"text":"2","list":[1,true,{"deep":"O\"1\n"}]})");
    EXPECT_EQ(text(row.at("message_key")), "O\"1\n");
    EXPECT_EQ(text(row.at("destination")), "orders");
    EXPECT_EQ(text(row.at("event_id")), "evt_1");
}

TEST(Send, WritesAsNumbersWhatJsonWritesSo) {
    const auto reading = read_sending(
        "  - name: e\n    when: {type: a}\n    send: {to: orders, body: {n: [0, -0, 10, -1.50, 007, 1., .5, "
        "1e3, "
        "-, 1.5.2, True]}}\n");
    ASSERT_EQ(reading.report, "");
    std::pmr::monotonic_buffer_resource made;
    EXPECT_EQ(text(message_of(reading.value, "{}", made).at("body")),
              R"({"n":[0,-0,10,-1.50,"007","1.",".5","1e3","-","1.5.2","True"]})");
}

TEST(Send, GivesEachMessageAKeyOfItsOwnAndAlwaysTheSame) {
    const auto reading = read_sending(
        "  - name: e\n    when: {type: a}\n    send: [{to: orders, body: {a: 1}}, {to: mail, body: {a: "
        "1}}]\n");
    ASSERT_EQ(reading.report, "");
    std::pmr::monotonic_buffer_resource made;
    const auto key = [&](std::size_t from_behind) {
        const auto row = message_of(reading.value, "{}", made, from_behind);
        return std::string{std::get<store::Bytes>(row.at("idempotency_key")).bytes};
    };
    EXPECT_EQ(key(0).size(), 32U);
    EXPECT_EQ(key(0), key(0));
    EXPECT_NE(key(0), key(1));
    EXPECT_EQ(text(message_of(reading.value, "{}", made).at("message_key")), "pi_1")
        << "the object by default";
}

TEST(Send, ComesAfterAllThatItsEffectDoes) {
    const auto reading = read_sending(
        "  - name: e\n    when: {type: a}\n    send: {to: orders, body: {a: 1}}\n"
        "    insert: {table: t, row: {a: b}}\n");
    ASSERT_EQ(reading.report, "");
    const auto& changes = reading.value.all().front()->set_based()->changes();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes.back().kind(), "send");
    EXPECT_EQ(changes.back().table, "outbox");
}

TEST(Send, IsRefusedWithALineForWhatIsWrong) {
    const std::pair<std::string, std::string> cases[] = {
        {"{to: nobody, body: {a: 1}}", "test.yaml:7: 'nobody' is no destination; there are: orders, mail"},
        {"{to: orders}", "body is missing: what the message says"},
        {"{to: orders, body: text}", "body must be a mapping"},
        {"{to: orders, body: {a: \":none\"}}", ":none is not known"},
        {"{to: orders, key: \":received_at\", body: {a: 1}}", "a key is text or a number"},
        {"[]", "send is empty"},
        {"{to: orders, topic: x, body: {a: 1}}", "topic"}};
    for (const auto& [send, says] : cases) {
        const auto reading = read_sending("  - name: e\n    when: {type: a}\n    send: " + send + "\n");
        EXPECT_TRUE(reading.report.contains(says)) << send << ": " << reading.report;
    }
}

TEST(Send, TakesNoMessageThatIsTooLong) {
    const auto reading = read_sending(
        "  - name: e\n    when: {type: a}\n    let: {long: /long}\n    send: {to: orders, body: {a: "
        "\":long\"}}\n");
    ASSERT_EQ(reading.report, "");
    record::EventHeaders headers;
    webhook::JsonView view;
    ASSERT_TRUE(view.read(R"({"long": ")" + std::string(1'000'000, 'x') + "\"}"));
    std::vector<store::Datum> values;
    std::pmr::monotonic_buffer_resource made;
    const auto verdict = reading.value.all().front()->evaluate({headers, {view}}, values, made);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->outcome, Outcome::park);
}

}  // namespace
}  // namespace sluice::effects
