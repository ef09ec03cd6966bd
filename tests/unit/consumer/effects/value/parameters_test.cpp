#include "consumer/effects/value/parameters.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/value/event_fields.hpp"

namespace sluice::effects {
namespace {

using namespace std::chrono_literals;
using store::Datum;

constexpr auto body = R"({
  "text": "cus_1", "number": 25, "negative": -7, "large": 9223372036854775807, "beyond": 9223372036854775808,
  "least": -9223372036854775808, "real": 12.5, "exponent": 1e2, "yes": true, "no": false, "nothing": null,
  "seconds": 1795287802, "written": "2026-11-21T20:03:22.5+01:00", "far": 253402300800,
  "twice": {"a": 1, "a": 2}, "object": {"id": "x"}})";

Parameter parameter(const std::string& pointer, As as = As::text) {
    Parameter out{.name = "p", .place = {}};
    out.from.push_back({.pointer = webhook::Pointer::parse(pointer).value(), .conversion = {.as = as}});
    return out;
}

Parameter optional(Parameter of) {
    of.optional = true;
    return of;
}

Parameter minus(Parameter of, const std::string& pointer, bool is_optional = false) {
    of.from.back().minus = ValueSource::Minus{webhook::Pointer::parse(pointer).value(), is_optional};
    return of;
}

class ParameterValues : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(view.read(body)); }
    std::expected<Datum, NoValue> value(const Parameter& of) { return value_of(of, {headers, {view}}, made); }
    std::error_code error(const Parameter& of) {
        const auto got = value(of);
        return got ? std::error_code{} : got.error().error;
    }
    std::string why(const Parameter& of) {
        const auto got = value(of);
        return got ? "" : got.error().why;
    }
    webhook::JsonView view;
    record::EventHeaders headers;
    std::pmr::monotonic_buffer_resource made;
};

constexpr auto int64 = As::int64;

TEST_F(ParameterValues, AreTextAsItIs) {
    EXPECT_EQ(value(parameter("/text")), Datum{std::string_view{"cus_1"}});
    EXPECT_EQ(error(parameter("/number")), errc::wrong_type);
    EXPECT_EQ(error(parameter("/object")), errc::wrong_type);
}

TEST_F(ParameterValues, AreNeverHalfOfACharacter) {
    ASSERT_TRUE(view.read(R"({"cut":"caf\ud83d","amount":123456789012345678901234567890,"id":"pi_1"})"));
    EXPECT_EQ(value(parameter("/id")), Datum{std::string_view{"pi_1"}});
    EXPECT_EQ(error(optional(parameter("/cut"))), errc::unreadable_body);
    EXPECT_EQ(error(optional(parameter("/amount", int64))), errc::out_of_range);
}

TEST_F(ParameterValues, AreWholeNumbersOfSixtyFourBits) {
    EXPECT_EQ(value(parameter("/number", int64)), Datum{std::int64_t{25}});
    EXPECT_EQ(value(parameter("/large", int64)), Datum{std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(value(parameter("/least", int64)), Datum{std::numeric_limits<std::int64_t>::min()});
    EXPECT_EQ(error(parameter("/beyond", int64)), errc::out_of_range);
    EXPECT_EQ(error(parameter("/real", int64)), errc::out_of_range);
    EXPECT_EQ(error(parameter("/exponent", int64)), errc::out_of_range);
    EXPECT_EQ(error(parameter("/text", int64)), errc::wrong_type);
    EXPECT_EQ(error(parameter("/yes", int64)), errc::wrong_type);
}

TEST_F(ParameterValues, AreOneAndZeroForBooleans) {
    EXPECT_EQ(value(parameter("/yes", As::boolean)), Datum{std::int64_t{1}});
    EXPECT_EQ(value(parameter("/no", As::boolean)), Datum{std::int64_t{0}});
    EXPECT_EQ(error(parameter("/number", As::boolean)), errc::wrong_type);
}

TEST_F(ParameterValues, AreTimesFromSecondsOrText) {
    constexpr WallTime time = std::chrono::sys_days{2026y / 11 / 21} + 19h + 3min + 22s;
    EXPECT_EQ(value(parameter("/seconds", As::time)), Datum{time});
    EXPECT_EQ(value(parameter("/written", As::time)), Datum{time + 500ms});
    EXPECT_EQ(error(parameter("/text", As::time)), errc::wrong_type);
    EXPECT_EQ(error(parameter("/far", As::time)), errc::out_of_range);
    EXPECT_EQ(error(parameter("/large", As::time)), errc::out_of_range);
    EXPECT_EQ(error(parameter("/yes", As::time)), errc::wrong_type);
}

TEST_F(ParameterValues, MustBeThereUnlessOptional) {
    for (const auto type : {As::text, int64, As::boolean, As::time}) {
        EXPECT_EQ(error(parameter("/missing", type)), errc::missing_pointer);
        EXPECT_EQ(error(parameter("/nothing", type)), errc::missing_pointer);
        EXPECT_EQ(value(optional(parameter("/missing", type))), Datum{nullptr});
        EXPECT_EQ(value(optional(parameter("/nothing", type))), Datum{nullptr});
    }
}

TEST_F(ParameterValues, MustBeRightEvenWhenOptional) {
    EXPECT_EQ(error(optional(parameter("/text", int64))), errc::wrong_type);
    EXPECT_EQ(error(optional(parameter("/twice/a", int64))), errc::duplicate_key);
}

TEST_F(ParameterValues, NeverComeFromAKeyThatStandsTwice) {
    EXPECT_EQ(error(parameter("/twice/a", int64)), errc::duplicate_key);
    EXPECT_EQ(error(minus(parameter("/number", int64), "/twice/a")), errc::duplicate_key);
}

TEST_F(ParameterValues, AreDifferencesOfRunningTotals) {
    EXPECT_EQ(value(minus(parameter("/number", int64), "/negative")), Datum{std::int64_t{32}});
    EXPECT_EQ(value(minus(parameter("/negative", int64), "/number")), Datum{std::int64_t{-32}});
    EXPECT_EQ(error(minus(parameter("/number", int64), "/text")), errc::wrong_type);
}

TEST_F(ParameterValues, TakeAMissingSubtrahendForZeroOnlyWhenToldSo) {
    EXPECT_EQ(error(minus(parameter("/number", int64), "/missing")), errc::missing_pointer);
    EXPECT_EQ(error(minus(parameter("/number", int64), "/nothing")), errc::missing_pointer);
    EXPECT_EQ(value(minus(parameter("/number", int64), "/missing", true)), Datum{std::int64_t{25}});
    EXPECT_EQ(value(minus(parameter("/number", int64), "/nothing", true)), Datum{std::int64_t{25}});
}

TEST_F(ParameterValues, AreNullWhenTheTotalIsMissingWhateverTheSubtrahend) {
    EXPECT_EQ(value(minus(optional(parameter("/missing", int64)), "/number")), Datum{nullptr});
}

TEST_F(ParameterValues, ParkWhenADifferenceOverflows) {
    EXPECT_EQ(error(minus(parameter("/large", int64), "/negative")), errc::out_of_range);
    EXPECT_EQ(error(minus(parameter("/least", int64), "/number")), errc::out_of_range);
    EXPECT_EQ(value(minus(parameter("/least", int64), "/least")), Datum{std::int64_t{0}});
}

TEST_F(ParameterValues, ParkWhatIsWrong) {
    for (const auto& wrong : {parameter("/missing"), parameter("/number"), parameter("/real", int64)}) {
        EXPECT_EQ(outcome_of(error(wrong)), Outcome::park) << wrong.from.front().pointer.text();
    }
}

TEST_F(ParameterValues, SayWhatStandsWhere) {
    EXPECT_EQ(why(parameter("/missing")),
              ":p (/missing): " + make_error_code(errc::missing_pointer).message());
    EXPECT_EQ(why(parameter("/text", int64)),
              ":p (/text): \"cus_1\" is no whole number: digits, with nothing before them but a minus");
    EXPECT_EQ(why(parameter("/number")), ":p (/number): \"25\" is a number, and text is wanted");
    EXPECT_EQ(why(minus(parameter("/number", int64), "/text")),
              ":p (/number minus /text): \"cus_1\" is no whole number: digits, with nothing before them "
              "but a minus");
    EXPECT_TRUE(value(parameter("/number")).error().quotes_event);
    EXPECT_FALSE(value(parameter("/missing")).error().quotes_event);
}

TEST(BuiltInValues, AreTheEventsOwn) {
    record::EventHeaders headers;
    headers.source = "stripe-eu";
    headers.provider = "stripe";
    headers.principal = "acct_main";
    headers.livemode = true;
    headers.event_id = "evt_1";
    headers.type = "charge.refunded";
    headers.object = "pi_1";
    headers.received_at = WallTime{5s};
    headers.occurred_at = WallTime{3s};
    EXPECT_EQ(built_in_value("event_id", headers), Datum{std::string_view{"evt_1"}});
    EXPECT_EQ(built_in_value("event_type", headers), Datum{std::string_view{"charge.refunded"}});
    EXPECT_EQ(built_in_value("object", headers), Datum{std::string_view{"pi_1"}});
    EXPECT_EQ(built_in_value("source", headers), Datum{std::string_view{"stripe-eu"}});
    EXPECT_EQ(built_in_value("provider", headers), Datum{std::string_view{"stripe"}});
    EXPECT_EQ(built_in_value("principal", headers), Datum{std::string_view{"acct_main"}});
    EXPECT_EQ(built_in_value("livemode", headers), Datum{std::int64_t{1}});
    EXPECT_EQ(built_in_value("received_at", headers), Datum{WallTime{5s}});
    EXPECT_EQ(built_in_value("occurred_at", headers), Datum{WallTime{3s}});
    EXPECT_FALSE(is_built_in("amount"));
}

TEST(BuiltInValues, AreNullWhereTheEventHasNone) {
    const record::EventHeaders headers;
    EXPECT_EQ(built_in_value("object", headers), Datum{nullptr});
    EXPECT_EQ(built_in_value("occurred_at", headers), Datum{nullptr});
    EXPECT_EQ(built_in_value("livemode", headers), Datum{std::int64_t{0}});
}

}  // namespace
}  // namespace sluice::effects
