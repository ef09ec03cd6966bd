#include "consumer/apply/own_failures.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::consumer {
namespace {

std::error_code mysql(unsigned int code) {
    return store::make_error(code, "HY000");
}

TEST(OwnFailures, TheThirdOfTheSameCodeInARowIsTheEvents) {
    OwnFailures failures;
    EXPECT_FALSE(failures.is_third("one", mysql(1062)));
    EXPECT_FALSE(failures.is_third("one", mysql(1062)));
    EXPECT_TRUE(failures.is_third("one", mysql(1062)));
    EXPECT_FALSE(failures.is_third("one", mysql(1062))) << "counted anew";
}

TEST(OwnFailures, AnotherCodeOrAnotherEventBeginsAnew) {
    OwnFailures failures;
    EXPECT_FALSE(failures.is_third("one", mysql(1062)));
    EXPECT_FALSE(failures.is_third("one", mysql(1062)));
    EXPECT_FALSE(failures.is_third("other", mysql(1062)));
    EXPECT_FALSE(failures.is_third("one", mysql(9999)));
    EXPECT_FALSE(failures.is_third("one", mysql(1062)));
}

TEST(OwnFailures, WhatTheServerIsToBlameForIsNoEvents) {
    for (const unsigned int code : {1213U, 1205U, 2013U, 2006U, 1290U, 1040U, 1021U, 1146U, 1142U, 1045U}) {
        EXPECT_FALSE(may_be_the_events(mysql(code))) << code;
    }
    EXPECT_FALSE(may_be_the_events(errc::injected));
    for (const unsigned int code : {1062U, 1406U, 1644U, 1153U, 1197U, 9999U}) {
        EXPECT_TRUE(may_be_the_events(mysql(code))) << code;
    }
    EXPECT_TRUE(may_be_the_events(errc::unlisted_row_count));
}

TEST(OwnFailures, ForgetsRatherThanGrows) {
    OwnFailures failures;
    for (int i = 0; i < 3000; ++i) EXPECT_FALSE(failures.is_third(std::to_string(i), mysql(9999)));
}

}  // namespace
}  // namespace sluice::consumer
