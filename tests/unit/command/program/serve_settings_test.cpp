#include "command/program/serve_settings.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/unit/command/http/running_commands.hpp"

namespace sluice::command {
namespace {

struct Read {
    ServeSettings settings;
    std::string problems;
};

Read read(const std::string& text) {
    (void)callers_of(one_caller);  // sets its key
    config::Problems problems;
    const auto document =
        config::Document::from_text(text + "callers:\n" + one_caller, "test.yaml", problems);
    ServeSettings settings;
    {
        config::Section command = document.section("command");
        settings = read_serve(document, command, problems);
    }
    return {std::move(settings), problems.report()};
}

TEST(ServeSettings, HavePortsThatNoOtherProgramHas) {
    const auto [settings, problems] = read("");
    EXPECT_EQ(problems, "");
    EXPECT_EQ(settings.listen.address.port, 8081);
    EXPECT_EQ(settings.operations.address.port, 9194);
    EXPECT_EQ(settings.operations.key, "operations.command");
    EXPECT_EQ(settings.callers.size(), 1U);
}

TEST(ServeSettings, WhoBooksOpensNothingOfThoseWhoSend) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "command: {listen: {tls: {cert: {file: /nowhere}, key: {file: /nowhere}}}, client_certificates: "
        "required}\n"
        "callers: [{name: ads, principal: ads, recipe: standard-webhooks, keys: [{id: k, value: {file: "
        "/nowhere}}]}]\n"
        "operations: {command: \"127.0.0.1:7\"}\n",
        "test.yaml", problems);
    {
        config::Section command = document.section("command");
        const ServeSettings settings = read_booking(document, command);
        EXPECT_EQ(settings.operations.address.port, 7);
        EXPECT_TRUE(settings.callers.empty());
    }
    EXPECT_EQ(problems.report(), "");
}

TEST(ServeSettings, ListenIsNotTheIngresss) {
    const auto [settings, problems] = read(
        "listen: {address: \"127.0.0.1:1\"}\ncommand: {listen: {address: \"127.0.0.1:2\", max_connections: "
        "7}}\n");
    EXPECT_EQ(problems, "");
    EXPECT_EQ(settings.listen.address.port, 2);
    EXPECT_EQ(settings.listen.max_connections, 7);
}

TEST(ServeSettings, TakeNoProxy) {
    const auto [settings, problems] = read("command: {listen: {proxy: {mode: v2, trusted: [10.0.0.0/8]}}}\n");
    EXPECT_TRUE(problems.contains("proxy.mode must be none")) << problems;
}

TEST(ServeSettings, RequiredCertificatesNeedSomebodyWhoVouches) {
    const auto [settings, problems] = read("command: {client_certificates: required}\n");
    EXPECT_TRUE(problems.contains("needs command.listen.tls.client_ca")) << problems;
}

TEST(ServeSettings, WhoeverVouchesForCertificatesNeedsTls) {
    const std::string pair = "cert: {file: /dev/null}, key: {file: /dev/null}";
    for (const std::string& tls : {std::string{}, ", enabled: false, " + pair}) {
        const auto [settings, problems] = read("command: {listen: {tls: {client_ca: {file: /dev/null}" + tls +
                                               "}}, client_certificates: required}\n");
        EXPECT_TRUE(problems.contains("client_ca needs TLS, which is off")) << problems;
    }
    EXPECT_EQ(read("command: {listen: {tls: {client_ca: {file: /dev/null}, " + pair + "}}}\n").problems, "");
}

TEST(ServeSettings, CallerByCertificateNeedsSomebodyWhoVouches) {
    const CallerSet callers{{.name = "shop",
                             .principal = "shop-team",
                             .signature = nullptr,
                             .certificate = CertificateName{.of = CertificateName::Of::dns, .name = "shop"},
                             .limit = {}}};
    config::ListenSettings listen;
    config::Problems problems;
    check_certificates(callers, listen, {}, problems);
    EXPECT_TRUE(problems.report().contains("client_ca must name who vouches"));
    listen.tls.ca_file = "ca.crt";
    config::Problems none;
    check_certificates(callers, listen, {}, none);
    EXPECT_FALSE(none.any());
}

}  // namespace
}  // namespace sluice::command
