#include "consumer/apply/setback.hpp"

#include <array>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "tests/unit/consumer/apply/no_session.hpp"

namespace sluice::consumer {
namespace {

using store::ErrorClass;
using Classes = std::vector<std::string>;

constexpr std::array all_classes{ErrorClass::lost_lock, ErrorClass::connection, ErrorClass::unavailable,
                                 ErrorClass::schema,    ErrorClass::data,       ErrorClass::duplicate,
                                 ErrorClass::overdue,   ErrorClass::unknown};

Setback with_class(Setback setback, std::optional<ErrorClass> database) {
    setback.database = database;
    return setback;
}

/// Of which classes a setback like this one is so; "none" where no statement failed.
Classes classes_where(bool (*is_so)(const Setback&), const Setback& like) {
    Classes found;
    if (is_so(with_class(like, std::nullopt))) found.emplace_back("none");
    for (const ErrorClass one : all_classes)
        if (is_so(with_class(like, one))) found.emplace_back(store::name_of(one));
    return found;
}

Setback of_our_own() {
    return {};
}

Setback of_the_effect() {
    Setback setback;
    setback.effect = "credit";
    setback.of_effects = true;
    return setback;
}

Setback after_a_lock_wait(Setback setback) {
    setback.waited_for_lock = true;
    return setback;
}

TEST(Setback, IsBlockedWhereItsEffectWaitedForALockInVain) {
    EXPECT_EQ(classes_where(is_blocked, after_a_lock_wait(of_the_effect())), (Classes{"lost_lock"}));
    EXPECT_EQ(classes_where(is_blocked, of_the_effect()), Classes{}) << "a deadlock";
    EXPECT_EQ(classes_where(is_blocked, after_a_lock_wait(of_our_own())), Classes{});
}

TEST(Setback, TookTooLongWhereAStatementWasEndedOrALockWasHeld) {
    EXPECT_EQ(classes_where(took_too_long, after_a_lock_wait(of_the_effect())),
              (Classes{"lost_lock", "overdue"}));
    EXPECT_EQ(classes_where(took_too_long, of_the_effect()), (Classes{"overdue"}));
    EXPECT_EQ(classes_where(took_too_long, after_a_lock_wait(of_our_own())), (Classes{"overdue"}));
}

TEST(Setback, LacksSomethingWhereTheEffectsOwnSchemaIsShort) {
    EXPECT_EQ(classes_where(lacks_something, of_the_effect()), (Classes{"schema"}));
    EXPECT_EQ(classes_where(lacks_something, of_our_own()), Classes{});
}

TEST(Setback, WouldFailAgainWhereTheNextRunWouldMeetTheSame) {
    EXPECT_EQ(classes_where(would_fail_again, of_the_effect()), (Classes{"schema", "overdue"}));
    EXPECT_EQ(classes_where(would_fail_again, after_a_lock_wait(of_the_effect())),
              (Classes{"lost_lock", "schema", "overdue"}));
    EXPECT_EQ(classes_where(would_fail_again, of_our_own()), (Classes{"overdue"}));
    Setback held = of_the_effect();
    held.is_held = true;
    EXPECT_EQ(classes_where(would_fail_again, held).size(), all_classes.size() + 1) << "whatever it was";
}

TEST(Setback, IsTroubleWhereNothingElseWouldSucceedEither) {
    EXPECT_EQ(classes_where(is_trouble, of_the_effect()), (Classes{"connection", "unavailable"}));
    EXPECT_EQ(classes_where(is_trouble, of_our_own()), (Classes{"connection", "unavailable", "schema"}))
        << "our own tables serve every event";
}

class StatementFailed : public testing::Test {
protected:
    [[nodiscard]] Setback setback(std::error_code error) const {
        return statement_failed(session_.connection, error);
    }
    [[nodiscard]] Setback setback(unsigned int code) const {
        return setback(store::make_error(code, "HY000"));
    }

private:
    const NoSession session_;
};

TEST_F(StatementFailed, IsTriedLaterAndHasTheClassOfItsCode) {
    const std::pair<unsigned int, ErrorClass> table[] = {
        {1213, ErrorClass::lost_lock}, {2013, ErrorClass::connection},
        {1406, ErrorClass::data},      {1062, ErrorClass::duplicate},
        {9999, ErrorClass::unknown},   {store::statement_overdue, ErrorClass::overdue}};
    for (const auto& [code, database] : table) {
        EXPECT_EQ(setback(code).outcome, effects::Outcome::retry) << code;
        EXPECT_EQ(setback(code).database, database) << code;
        EXPECT_TRUE(setback(code).effect.empty() && !setback(code).of_effects) << code;
    }
    EXPECT_EQ(setback(errc::injected).database, ErrorClass::unknown);
}

TEST_F(StatementFailed, KnowsALockWaitAndAStatementThatOutlastedItsEnd) {
    EXPECT_TRUE(setback(store::lock_wait_timed_out).waited_for_lock);
    EXPECT_TRUE(setback(store::statement_overdue_and_lost).overran);
    for (const unsigned int code : {1213U, store::lock_held, store::statement_overdue, 2013U}) {
        EXPECT_FALSE(setback(code).waited_for_lock) << code;
        EXPECT_FALSE(setback(code).overran) << code;
    }
}

TEST_F(StatementFailed, WhereOtherEffectsAreInForceNothingElseWouldSucceed) {
    const Setback overtaken = setback(errc::stopped);
    EXPECT_EQ(overtaken.outcome, effects::Outcome::retry);
    EXPECT_TRUE(is_trouble(overtaken));
    EXPECT_FALSE(overtaken.reason.empty());
}

TEST_F(StatementFailed, ServersWordsThatQuoteARowAreNotRepeated) {
    const auto no_partition_for_value = store::make_error(1526, "HY000");
    EXPECT_EQ(setback(no_partition_for_value).database, ErrorClass::schema);
    EXPECT_EQ(setback(no_partition_for_value).reason, no_partition_for_value.message());
}

}  // namespace
}  // namespace sluice::consumer
