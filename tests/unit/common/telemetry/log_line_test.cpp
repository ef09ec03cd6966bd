#include "common/telemetry/log_line.hpp"

#include <limits>
#include <random>
#include <string>

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

/// The same line, piece by piece.
std::string put_together(std::string_view program, std::string_view decision, std::string_view key,
                         std::string_view text, std::int64_t number, bool truth) {
    const auto quoted = [](std::string_view said) { return '"' + json_escaped(said) + '"'; };
    return "{\"time\":\"" + to_rfc3339(now) + "\",\"level\":\"info\",\"program\":" + quoted(program) +
           ",\"decision\":" + quoted(decision) + ",\"" + std::string{key} + "\":" + quoted(text) +
           ",\"number\":" + std::to_string(number) + ",\"truth\":" + (truth ? "true" : "false") + "}\n";
}

TEST(LogLine, HasRoomForTextsOfAnyBytesAndLength) {
    std::mt19937 random{20261129};
    std::string reused;
    for (int i = 0; i < 5000; ++i) {
        const auto some = [&random](std::size_t most) {
            std::string text(random() % (most + 1), 'x');
            const bool is_hostile = random() % 2 == 0;
            for (char& c : text) c = static_cast<char>(is_hostile ? random() : ' ' + random() % 90);
            return text;
        };
        const std::string program = some(300), decision = some(20), key(random() % 40 + 1, 'k'),
                          text = some(600);
        const auto number = static_cast<std::int64_t>(random()) * static_cast<std::int32_t>(random());
        const bool truth = random() % 2 == 0;
        write_log_line(reused, now, LogLevel::info, program, decision,
                       {{key, text}, {"number", number}, {"truth", truth}});
        ASSERT_EQ(reused, put_together(program, decision, key, text, number, truth));
    }
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
