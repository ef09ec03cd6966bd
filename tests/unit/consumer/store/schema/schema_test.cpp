#include <gtest/gtest.h>

#include "consumer/store/schema/schema.hpp"

namespace sluice::store {
namespace {

using std::chrono::days;

constexpr std::int64_t day_ms = 86'400'000;

TEST(KeepShortfall, IsNoneWhenRowsOutliveRecords) {
    EXPECT_EQ(keep_shortfall(days{8}, 7 * day_ms), "");
}

TEST(KeepShortfall, WantsMoreThanTheRetentionItself) {
    EXPECT_TRUE(keep_shortfall(days{7}, 7 * day_ms).contains("inbox.keep must be longer"));
    EXPECT_TRUE(keep_shortfall(days{3}, 7 * day_ms).contains("for 7d"));
}

TEST(KeepShortfall, CountsAPartOfADayAsOne) {
    EXPECT_EQ(keep_shortfall(days{8}, 7 * day_ms + 1), "");
    EXPECT_TRUE(keep_shortfall(days{7}, 7 * day_ms + 1).contains("for 8d"));
}

TEST(KeepShortfall, SaysThatForEverIsLongerThanAnything) {
    EXPECT_TRUE(keep_shortfall(days{90}, -1).contains("forever"));
}

constexpr std::size_t half_a_mebibyte = 512 << 10;

std::map<std::string, std::string> variables(const std::string& log_bin, const std::string& format,
                                             const std::string& packet) {
    return {{"log_bin", log_bin}, {"binlog_format", format}, {"max_allowed_packet", packet}};
}

TEST(ServerShortfall, IsNoneOnAnOrdinaryServer) {
    EXPECT_EQ(server_shortfall(variables("ON", "ROW", "67108864"), half_a_mebibyte), "");
    EXPECT_EQ(server_shortfall(variables("ON", "MIXED", "16777216"), half_a_mebibyte), "");
    EXPECT_EQ(server_shortfall(variables("OFF", "STATEMENT", "16777216"), half_a_mebibyte), "");
    EXPECT_EQ(server_shortfall({{"log_bin", "ON"}, {"max_allowed_packet", "4194304"}}, half_a_mebibyte), "");
}

TEST(ServerShortfall, IsALogThatRefusesOurIsolation) {
    EXPECT_TRUE(server_shortfall(variables("ON", "STATEMENT", "67108864"), half_a_mebibyte)
                    .contains("binlog_format"));
}

TEST(ServerShortfall, IsAPacketThatABodyDoesNotFitIn) {
    EXPECT_TRUE(server_shortfall(variables("OFF", "ROW", "1048576"), half_a_mebibyte)
                    .contains("max_allowed_packet is 1048576"));
    // Enough for the default 512 KiB, not for what this source takes.
    EXPECT_TRUE(server_shortfall(variables("OFF", "ROW", "4194304"), 8 << 20).contains("set it to 9437184"));
    EXPECT_EQ(server_shortfall(variables("OFF", "ROW", "9437184"), 8 << 20), "");
}

TEST(ServerShortfall, ServersWithSeveralPrimariesAreRefused) {
    auto galera = variables("ON", "ROW", "67108864");
    galera["wsrep_on"] = "ON";
    EXPECT_TRUE(server_shortfall(galera, half_a_mebibyte).contains("Galera"));
    galera["wsrep_on"] = "OFF";
    EXPECT_EQ(server_shortfall(galera, half_a_mebibyte), "") << "MariaDB has the variable everywhere";
    auto group = variables("ON", "ROW", "67108864");
    group["group_replication_group_name"] = "";
    group["group_replication_single_primary_mode"] = "OFF";
    EXPECT_EQ(server_shortfall(group, half_a_mebibyte), "") << "the plugin is there and unused";
    group["group_replication_group_name"] = "a-uuid";
    EXPECT_TRUE(server_shortfall(group, half_a_mebibyte).contains("several primaries"));
    group["group_replication_single_primary_mode"] = "ON";
    EXPECT_EQ(server_shortfall(group, half_a_mebibyte), "");
}

}  // namespace
}  // namespace sluice::store
