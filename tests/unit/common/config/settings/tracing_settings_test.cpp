#include "common/config/settings/tracing_settings.hpp"

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
    auto settings = read_tracing(reading.document(), reading.problems());
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

/// `headers` behind an endpoint; the value of the first is in a file that holds `value`.
TracingRead read_headers_with(const std::string& name, const std::string& value,
                              const std::string& endpoint = "https://c:4318/v1/traces") {
    const TestFile file{"token", value};
    return read_text_of_tracing("endpoint: \"" + endpoint + "\", headers: [{name: \"" + name +
                                "\", value: {file: " + file.path() + "}}]");
}

TEST(TracingSettings, HeadersHaveTheirValuesElsewhere) {
    const auto [settings, report] = read_headers_with("Authorization", "Bearer t0k3n\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(settings.headers.size(), 1U);
    EXPECT_EQ(settings.headers[0].name, "Authorization");
    EXPECT_EQ(settings.headers[0].value.bytes(), "Bearer t0k3n");
    const auto plain = read_text_of_tracing(
        "endpoint: \"https://c:4318/v1/traces\", headers: [{name: Authorization, value: t0k3n}]");
    EXPECT_NE(plain.report, "");
    EXPECT_FALSE(plain.report.contains("t0k3n"));
    EXPECT_NE(read_text_of_tracing("headers: [{name: A, value: {env: HOME}}]").report, "") << "no endpoint";
    for (const char* lacking :
         {"{name: A}", "{value: {env: HOME}}", "{name: A, value: {env: HOME}, more: 1}"})
        EXPECT_NE(read_text_of_tracing("endpoint: \"https://c:4318/v1/traces\", headers: [" +
                                       std::string{lacking} + "]")
                      .report,
                  "")
            << lacking;
}

TEST(TracingSettings, AHeaderIsOneLineOfItsOwn) {
    for (const char* bad : {"Au thorization", "A:", "Content-Type", "content-length", "HOST", "", "\u00e4"})
        EXPECT_NE(read_headers_with(bad, "t0k3n").report, "") << bad;
    for (const std::string bad : {"a\r\nX-More: b", "a\nb", " a", "a ", "\xff", "a\x01", ""}) {
        const auto report = read_headers_with("Authorization", bad).report;
        EXPECT_NE(report, "");
        EXPECT_FALSE(report.contains("X-More"));
    }
    const auto twice = read_text_of_tracing(
        "endpoint: \"https://c:4318/v1/traces\", headers: [{name: X-A, value: {env: HOME}}, {name: x-a, "
        "value: "
        "{env: HOME}}]");
    EXPECT_TRUE(twice.report.contains("two headers")) << twice.report;
}

TEST(TracingSettings, HeadersInTheClearAreWarnedOf) {
    const std::string headers = "/v1/traces\", headers: [{name: X-A, value: {env: HOME}}]";
    for (const std::string scheme : {"http", "https"}) {
        Reading reading{"tracing: {endpoint: \"" + scheme + "://c:4318" + headers + "}\n"};
        static_cast<void>(read_tracing(reading.document(), reading.problems()));
        EXPECT_EQ(reading.report(), "");
        EXPECT_EQ(reading.problems().warnings().size(), scheme == "http" ? 1U : 0U);
    }
}

}  // namespace
}  // namespace sluice::config
