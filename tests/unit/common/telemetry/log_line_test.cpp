#include "common/telemetry/log_line.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/time_text.hpp"

namespace sluice {
namespace {

const WallTime now = from_rfc3339("2026-11-21T19:03:22.123456Z").value();

TEST(LogLine, StandsAsDocumented) {
    EXPECT_EQ(
        log_line(now, LogLevel::info, "sluice-ingress", "accepted",
                 {{"source", "stripe-eu"}, {"offset", std::int64_t{-7}}, {"seconds", 0.25}, {"late", true}}),
        "{\"time\":\"2026-11-21T19:03:22.123456Z\",\"level\":\"info\",\"program\":\"sluice-ingress\","
        "\"decision\":\"accepted\",\"source\":\"stripe-eu\",\"offset\":-7,\"seconds\":0.25,\"late\":true}\n");
}

TEST(LogLine, WritesDurationsInMilliseconds) {
    const auto written = [](std::int64_t count) {
        const std::string line =
            log_line(now, LogLevel::info, "p", "d", {{"ms", std::chrono::microseconds{count}}});
        return line.substr(line.find("ms\":") + 4);
    };
    EXPECT_EQ(written(0), "0.000}\n");
    EXPECT_EQ(written(812), "0.812}\n");
    EXPECT_EQ(written(1'002'003), "1002.003}\n");
    EXPECT_EQ(written(-5), "0.000}\n");
}

TEST(LogLine, NeedsNoFields) {
    const auto line = nlohmann::json::parse(log_line(now, LogLevel::warn, "p", "d", {}));
    EXPECT_EQ(line.size(), 4U);
    EXPECT_EQ(line["level"], "warn");
    EXPECT_EQ(nlohmann::json::parse(log_line(now, LogLevel::error, "", "", {{"", "x"}}))["level"], "error");
    EXPECT_EQ(nlohmann::json::parse(log_line(now, LogLevel::debug, "", "", {{"x", std::string_view{}}}))["x"],
              "");
}

TEST(LogLine, IsOneLineOfJsonWhateverIsInIt) {
    const std::string hostile = "\"},\n{\"level\":\"info\\\x00\xFF\x1B[2J";
    const std::string line = log_line(now, LogLevel::info, hostile, hostile,
                                      {{"said", hostile}, {"level2", std::string(1000, '"')}});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto object = nlohmann::json::parse(line);
    EXPECT_EQ(object.size(), 6U);
    EXPECT_EQ(object["level"], "info");
    EXPECT_EQ(object["level2"], std::string(256, '"'));
}

TEST(LogLine, SaysNullForWhatIsNoNumber) {
    const auto line = nlohmann::json::parse(log_line(now, LogLevel::info, "p", "d",
                                                     {{"nan", std::numeric_limits<double>::quiet_NaN()},
                                                      {"inf", -std::numeric_limits<double>::infinity()},
                                                      {"most", std::numeric_limits<std::int64_t>::min()},
                                                      {"tiny", 5e-324}}));
    EXPECT_TRUE(line["nan"].is_null());
    EXPECT_TRUE(line["inf"].is_null());
    EXPECT_EQ(line["most"], std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(line["tiny"], 5e-324);
}

}  // namespace
}  // namespace sluice
