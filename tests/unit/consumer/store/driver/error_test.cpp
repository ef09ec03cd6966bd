#include "consumer/store/driver/error.hpp"

#include <gtest/gtest.h>

#include <set>

#include "common/error.hpp"

namespace sluice::store {
namespace {

struct Case {
    ErrorClass error_class;
    std::set<unsigned int> codes;
};

// The design's table (section 6), then what was added to it because it can only be infrastructure.
const Case cases[] = {
    {ErrorClass::lost_lock, {1213, 1205, 1020, 1317, 3024, 1969}},
    {ErrorClass::lost_lock, {1412, 1615, 3101, 3572}},
    {ErrorClass::connection, {2002, 2003, 2006, 2013, 2014, 2055, 4031, 1053, 1927}},
    {ErrorClass::connection,
     {2005, 2012, 2026, 2027, 5013, 5014, 1042, 1043, 1152, 1156, 1158, 1159, 1160, 1161, 1184, 3169, 1243}},
    {ErrorClass::unavailable, {1290, 1792, 1836, 1040, 1203, 1226, 1021, 1114, 1030}},
    {ErrorClass::unavailable,
     {3100, 1180, 1026, 1037, 1041, 1129, 1130, 1135, 1206, 1461, 1637, 1665, 2008, 2059, 2061, 3032}},
    {ErrorClass::unavailable, {1004, 1016, 1017, 1024, 1598, 1878}},
    {ErrorClass::unavailable, {1045, 1698, 1820, 1862, 3118, 4151}},
    {ErrorClass::schema, {1044, 1049, 1054, 1142, 1143, 1146, 1305, 1526}},
    {ErrorClass::schema, {1227, 1370}},
    {ErrorClass::data,
     {1406, 1264, 1265, 1292, 1364, 1366, 1048, 1452, 1644, 1690, 3140, 3141, 3144, 3157, 3819, 4025}},
    {ErrorClass::duplicate, {1062}},
    {ErrorClass::overdue, {statement_overdue}},
};

TEST(ErrorTable, GivesEachCodeItsClass) {
    for (const auto& [error_class, codes] : cases) {
        for (const auto code : codes) {
            EXPECT_EQ(classify(code, "HY000"), error_class) << code;
            EXPECT_EQ(class_of(make_error(code, "HY000")), error_class) << code;
        }
    }
}

TEST(ErrorTable, LeavesEveryOtherCodeUnknown) {
    std::set<unsigned int> listed;
    for (const auto& one : cases) listed.insert(one.codes.begin(), one.codes.end());
    for (unsigned int code = 1000; code < 6000; ++code) {
        if (listed.contains(code)) continue;
        EXPECT_EQ(classify(code, "HY000"), ErrorClass::unknown) << code;
    }
}

TEST(ErrorTable, BlamesTheServerForItsOwnFiles) {
    for (unsigned int code = 1; code < 1000; ++code)
        EXPECT_EQ(classify(code, "HY000"), ErrorClass::unavailable) << code;
    EXPECT_EQ(classify(0, "HY000"), ErrorClass::unknown);
    EXPECT_EQ(make_error(3, "HY000").message(), "the server failed at a file or a resource of its own (3)");
}

TEST(ErrorTable, DoesNotTakeASignalOfATriggerForThem) {
    EXPECT_EQ(class_of(make_error(500, "45000")), ErrorClass::data);
}

TEST(ErrorTable, TakesAccessDeniedFromTheSqlState) {
    EXPECT_EQ(classify(9999, "28000"), ErrorClass::unavailable);
    EXPECT_EQ(class_of(make_error(9999, "28000")), ErrorClass::unavailable);
}

TEST(ErrorTable, TakesALostConnectionFromTheSqlState) {
    EXPECT_EQ(classify(9999, "08S01"), ErrorClass::connection);
    EXPECT_EQ(class_of(make_error(9999, "08S01")), ErrorClass::connection);
}

TEST(ErrorTable, PrefersTheCodeOverTheSqlState) {
    EXPECT_EQ(classify(1040, "08004"), ErrorClass::unavailable);
}

TEST(ErrorTable, KeepsListedCodesAsTheyAre) {
    EXPECT_EQ(make_error(1213, "40001").value(), 1213);
    EXPECT_EQ(make_error(9999, "HY000").value(), 9999);
}

TEST(ErrorTable, KnowsNothingOfOtherCategories) {
    EXPECT_EQ(class_of(make_error_code(errc::timed_out)), ErrorClass::unknown);
    EXPECT_EQ(class_of(std::error_code{1213, std::generic_category()}), ErrorClass::unknown);
}

TEST(ErrorTable, SaysWhatHappenedAndTheCode) {
    EXPECT_EQ(make_error(1205, "HY000").message(), "lock wait timed out (1205)");
    EXPECT_EQ(make_error(9999, "HY000").message(), "error (9999)");
}

TEST(ErrorTable, NamesEachClassDifferently) {
    std::set<std::string> names;
    for (const auto one :
         {ErrorClass::lost_lock, ErrorClass::connection, ErrorClass::unavailable, ErrorClass::schema,
          ErrorClass::data, ErrorClass::duplicate, ErrorClass::overdue, ErrorClass::unknown}) {
        names.insert(name_of(one));
    }
    EXPECT_EQ(names.size(), 8U);
}

}  // namespace
}  // namespace sluice::store
