#include "consumer/effects/effect/refused_statement.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::effects {
namespace {

TEST(OutcomeOf, AnErrorOfTheDataParks) {
    for (const unsigned int code : {1406U, 1264U, 1366U, 1452U, 1644U, 1062U})
        EXPECT_EQ(outcome_of(store::make_error(code, "HY000")), Outcome::park) << code;
    for (const errc code : {errc::undecodable, errc::unreadable_body, errc::missing_pointer, errc::wrong_type,
                            errc::out_of_range, errc::duplicate_key, errc::unlisted_row_count})
        EXPECT_EQ(outcome_of(code), Outcome::park) << make_error_code(code).message();
}

TEST(OutcomeOf, EverythingElseIsTriedAgain) {
    for (const unsigned int code : {1213U, 2013U, 1290U, 1146U, 9999U})
        EXPECT_EQ(outcome_of(store::make_error(code, "HY000")), Outcome::retry) << code;
    for (const errc code : {errc::timed_out, errc::stopped, errc::injected})
        EXPECT_EQ(outcome_of(code), Outcome::retry) << make_error_code(code).message();
    EXPECT_EQ(outcome_of(std::make_error_code(std::errc::io_error)), Outcome::retry);
}

}  // namespace
}  // namespace sluice::effects
