#include "common/telemetry/label_set.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(LabelSet, AdmitsTheFirstAndKeepsThem) {
    LabelSet types{2};
    EXPECT_EQ(types.admit("charge.refunded"), "charge.refunded");
    EXPECT_EQ(types.admit("charge.refunded"), "charge.refunded");
    EXPECT_EQ(types.admit("payout-paid_2"), "payout-paid_2");
    EXPECT_EQ(types.admit("third"), "other");
    EXPECT_EQ(types.admit("charge.refunded"), "charge.refunded");
    EXPECT_EQ(types.admit("payout-paid_2"), "payout-paid_2");
}

TEST(LabelSet, OdderValuesTakeNoPlace) {
    LabelSet types{1};
    using namespace std::string_literals;
    for (const std::string& value :
         {""s, "a b"s, "a\n"s, "a\""s, "a/b"s, "\xC3\xA4"s, "a\0"s, std::string(65, 'a')}) {
        EXPECT_EQ(types.admit(value), "other") << value;
    }
    EXPECT_EQ(types.admit(std::string(64, 'a')), std::string(64, 'a'));
}

TEST(LabelSet, AnswersOutliveTheArgument) {
    LabelSet types{1};
    std::string value = "charge.succeeded.which.is.longer.than.a.small.string";
    const std::string_view admitted = types.admit(value);
    value.assign(value.size(), 'x');
    EXPECT_EQ(admitted, "charge.succeeded.which.is.longer.than.a.small.string");
}

TEST(LabelSet, NoRoomMeansOther) {
    LabelSet types{0};
    EXPECT_EQ(types.admit("a"), "other");
}

}  // namespace
}  // namespace sluice
