#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using std::chrono::days;

struct CallbacksRead {
    CallbackSettings settings;
    std::string report;
};

CallbacksRead read_text_of_callbacks(const std::string& callbacks) {
    Reading reading{"callbacks: {" + callbacks + "}\n"};
    const auto settings = read_callbacks(reading.document());
    return {settings, reading.report()};
}

TEST(CallbackSettings, NothingIsRecordedUnlessItIsAskedFor) {
    const auto [settings, report] = read_text_of_callbacks("");
    EXPECT_EQ(report, "");
    EXPECT_FALSE(settings.recorded);
    EXPECT_EQ(settings.keep, days{90});
    EXPECT_TRUE(read_text_of_callbacks("record: all").settings.recorded);
    EXPECT_FALSE(read_text_of_callbacks("record: none").settings.recorded);
    EXPECT_NE(read_text_of_callbacks("record: some").report, "");
}

TEST(CallbackSettings, KeepIsWholeDays) {
    EXPECT_EQ(read_text_of_callbacks("keep: 730d").settings.keep, days{730});
    EXPECT_EQ(read_text_of_callbacks("keep: 36h").report,
              "test.yaml:1: callbacks.keep must be whole days, such as 90d: partitions are dropped by day");
    EXPECT_NE(read_text_of_callbacks("keep: 0d").report, "");
    EXPECT_NE(read_text_of_callbacks("keep: 3651d").report, "");
}

}  // namespace
}  // namespace sluice::config
