#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using std::chrono::days;
using Payload = InboxSettings::Payload;

struct InboxRead {
    InboxSettings settings;
    std::string report;
};

InboxRead read_text_of_inbox(const std::string& inbox) {
    Reading reading{"inbox: {" + inbox + "}\n"};
    const auto settings = read_inbox(reading.document(), reading.problems());
    return {settings, reading.report()};
}

TEST(InboxSettings, DefaultsAreTheDesigns) {
    const auto [settings, report] = read_text_of_inbox("");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.keep, days{90});
    EXPECT_EQ(settings.payload, Payload::all);
}

TEST(InboxSettings, KeepIsWholeDays) {
    EXPECT_EQ(read_text_of_inbox("keep: 30d").settings.keep, days{30});
    EXPECT_EQ(read_text_of_inbox("keep: 48h").settings.keep, days{2});
    EXPECT_EQ(read_text_of_inbox("keep: 36h").report,
              "test.yaml:1: inbox.keep must be whole days, such as 90d: partitions are dropped by day");
    EXPECT_NE(read_text_of_inbox("keep: 0d").report, "");
    EXPECT_NE(read_text_of_inbox("keep: 12h").report, "");
}

TEST(InboxSettings, ClosedEntriesStayAtLeastAsLongAsTheirEvents) {
    EXPECT_EQ(read_text_of_inbox("").settings.keep_closed, days{400});
    EXPECT_EQ(read_text_of_inbox("keep: 500d").settings.keep_closed, days{500});
    EXPECT_EQ(read_text_of_inbox("keep: 30d, keep_closed: 30d").settings.keep_closed, days{30});
    EXPECT_EQ(read_text_of_inbox("keep_closed: 89d").report,
              "test.yaml:1: inbox.keep_closed must not be shorter than inbox.keep: an entry would be deleted "
              "before its event");
    EXPECT_NE(read_text_of_inbox("keep_closed: 0d").report, "");
}

TEST(InboxSettings, PayloadIsOneOfThree) {
    EXPECT_EQ(read_text_of_inbox("payload: all").settings.payload, Payload::all);
    EXPECT_EQ(read_text_of_inbox("payload: failed").settings.payload, Payload::failed);
    EXPECT_EQ(read_text_of_inbox("payload: none").settings.payload, Payload::none);
    EXPECT_NE(read_text_of_inbox("payload: some").report, "");
}

TEST(InboxSettings, UndatedKeysAreKeptForEverUnlessToldOtherwise) {
    EXPECT_EQ(read_text_of_inbox("").settings.keep_undated, std::nullopt);
    EXPECT_EQ(read_text_of_inbox("keep_undated: forever").settings.keep_undated, std::nullopt);
    EXPECT_EQ(read_text_of_inbox("keep_undated: 365d").settings.keep_undated, days{365});
    EXPECT_EQ(read_text_of_inbox("keep: 30d, keep_undated: 30d").settings.keep_undated, days{30});
    for (const std::string wrong : {"keep_undated: 89d", "keep_undated: 2161h"}) {
        EXPECT_EQ(
            read_text_of_inbox(wrong).report,
            "test.yaml:1: inbox.keep_undated must be forever or whole days, and at least inbox.keep (90d)");
    }
    EXPECT_NE(read_text_of_inbox("keep_undated: never").report, "");
}

}  // namespace
}  // namespace sluice::config
