#include "common/config/tracing_settings.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

struct TracingRead {
    TracingSettings settings;
    std::string report;
};

TracingRead read_text_of_tracing(const std::string& tracing) {
    Reading reading{"tracing: {" + tracing + "}\n"};
    auto settings = read_tracing(reading.document());
    return {std::move(settings), reading.report()};
}

TEST(TracingSettings, IsOffByItself) {
    const auto [settings, report] = read_text_of_tracing("");
    EXPECT_EQ(report, "");
    EXPECT_FALSE(settings.enabled());
}

TEST(TracingSettings, AnEndpointSwitchesItOn) {
    const auto [settings, report] =
        read_text_of_tracing("endpoint: \"http://collector.observability:4318/v1/traces\", ratio: 0.25");
    EXPECT_EQ(report, "");
    EXPECT_TRUE(settings.enabled());
    EXPECT_EQ(settings.ratio, 0.25);
    EXPECT_EQ(read_text_of_tracing("endpoint: \"https://collector/v1/traces\"").settings.ratio, 0.01);
    EXPECT_EQ(read_text_of_tracing("endpoint: \"http://[::1]:4318/v1/traces\"").report, "");
}

TEST(TracingSettings, TheRatioIsAPlainNumber) {
    const auto report_of = [](const std::string& ratio) {
        return read_text_of_tracing("endpoint: \"http://c:4318/v1/traces\", ratio: " + ratio).report;
    };
    for (const char* good : {"0", "1", "1.0", "0.001", "0.5"}) EXPECT_EQ(report_of(good), "") << good;
    for (const char* bad : {"1.1", "2", "-0.1", "1e-2", ".5", "5.", "1%", "0x1", "nan", "\"\"", "0.1.2"})
        EXPECT_EQ(report_of(bad).find("test.yaml:1: tracing.ratio must be a number from 0 to 1"), 0U) << bad;
}

TEST(TracingSettings, TheEndpointIsAWholeUrl) {
    for (const char* bad :
         {"collector:4318", "http://collector:4318", "http://collector:4318/", "ftp://collector/v1/traces",
          "http:///v1/traces", "http://user:word@collector/v1/traces", "http://collector/v1/traces?a=b",
          "http://collector:0/v1/traces", "http://collector:99999/v1/traces", "http://col lector/v1/traces"})
        EXPECT_NE(read_text_of_tracing("endpoint: \"" + std::string{bad} + "\"").report, "") << bad;
}

TEST(TracingSettings, IsClosedAndWhole) {
    EXPECT_NE(read_text_of_tracing("endpoint: \"http://c:4318/v1/traces\", rate: 0.1").report, "");
    EXPECT_NE(read_text_of_tracing("ratio: 0.1").report, "");
    EXPECT_NE(read_text_of_tracing("endpoint: \"http://c:4318/v1/traces\", tls: {enabled: true}").report, "");
    EXPECT_EQ(read_text_of_tracing("endpoint: \"https://c:4318/v1/traces\", tls: {enabled: true}").report,
              "");
}

}  // namespace
}  // namespace sluice::config
