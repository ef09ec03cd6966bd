#include "ctl/cli/run.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "ctl/cli/json.hpp"
#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {
namespace {

class FixedClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return at(1'790'000'000); }
    [[nodiscard]] SteadyTime steady() const override { return {}; }
};

class RunTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path{testing::TempDir()} / ("ctl" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        unsetenv("SLUICE_CONFIG");
        unsetenv("SLUICE_COMMANDS_CONFIG");
        set_sample_secret();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& content) {
        const auto path = folder_ / name;
        std::ofstream{path, std::ios::binary} << content;
        return path.string();
    }
    Exit call(std::vector<std::string> arguments) {
        out_.str("");
        err_.str("");
        Console console{.out = out_, .err = err_, .clock = clock_};
        return run(std::move(arguments), console);
    }

    std::filesystem::path folder_;
    std::ostringstream out_;
    std::ostringstream err_;
    FixedClock clock_;
};

}  // namespace

TEST_F(RunTest, EveryCommandHasHelpWithExamplesAndExitCodes) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"verify"},
                                               {"send"},
                                               {"migrate"},
                                               {"topics"},
                                               {"event", "show"},
                                               {"dlq", "list"},
                                               {"dlq", "show"},
                                               {"dlq", "retry"},
                                               {"dlq", "skip"},
                                               {"dlq", "edit"},
                                               {"dlq", "close"},
                                               {"lane", "list"},
                                               {"lane", "show"},
                                               {"paypal", "fetch"},
                                               {"paypal", "list"},
                                               {"doctor"},
                                               {"recipes"},
                                               {"recipes", "show"},
                                               {"recipes", "page"},
                                               {"recipes", "test"},
                                               {"markers", "forget"},
                                               {"keys", "list"},
                                               {"keys", "accept"}}) {
        auto arguments = command;
        arguments.emplace_back("--help");
        EXPECT_EQ(call(arguments), Exit::ok) << command[0];
        EXPECT_TRUE(out_.str().contains("Examples:\n  sluicectl " + command[0])) << out_.str();
        EXPECT_TRUE(out_.str().contains("Exit codes: 0 ok")) << command[0];
        EXPECT_TRUE(out_.str().contains("SLUICE_CONFIG")) << command[0];
    }
}

TEST_F(RunTest, WrongUsageIsTwo) {
    EXPECT_EQ(call({}), Exit::usage);
    EXPECT_EQ(call({"nonsense"}), Exit::usage);
    EXPECT_EQ(call({"verify", "--source", "x"}), Exit::usage);
    EXPECT_EQ(call({"doctor", "-o", "xml"}), Exit::usage);
    EXPECT_EQ(out_.str(), "");
    EXPECT_NE(err_.str(), "");
}

TEST_F(RunTest, NoConfigurationIsTwoAndSaysHowToNameOne) {
    EXPECT_EQ(call({"migrate"}), Exit::usage);
    EXPECT_TRUE(err_.str().contains("SLUICE_CONFIG")) << err_.str();
}

TEST_F(RunTest, WrongConfigurationIsTwoWithFileAndLine) {
    const std::string config = file("bad.yaml", "mysql: {host: a, database: b, user: c, colour: red}\n");
    EXPECT_EQ(call({"migrate", "--config", config}), Exit::usage);
    EXPECT_TRUE(err_.str().contains("bad.yaml:1")) << err_.str();
    EXPECT_TRUE(err_.str().contains("colour")) << err_.str();
}

TEST_F(RunTest, AServerThatIsAwayIsThree) {
    const std::string config = file("away.yaml", "mysql: {host: 127.0.0.1, port: 1, database: b, user: c}\n");
    EXPECT_EQ(call({"migrate", "--config", config}), Exit::unreachable);
    EXPECT_TRUE(err_.str().contains("MySQL at 127.0.0.1:1")) << err_.str();
}

TEST_F(RunTest, VerifyNeedsOnlySourcesAndAnswersInJson) {
    const std::string config = file("sluice.yaml", sample_config);
    const std::string request =
        file("r.http", signed_request(sample_source(), sample_body, at(1'790'000'000)));
    EXPECT_EQ(call({"verify", "--config", config, "--source", "stripe-eu", "--request", request, "--json"}),
              Exit::ok);
    EXPECT_EQ(parse_json(out_.str()).value()["events"][0]["id"], "evt_1");
    EXPECT_EQ(call({"verify", "--config", config, "--source", "stripe-eu", "--now", "1790009999", "--request",
                    request, "--json"}),
              Exit::no);
    EXPECT_EQ(parse_json(out_.str()).value()["accepted"], false);
}

TEST_F(RunTest, TheFileMayStandBeforeASubcommandOrBehindIt) {
    const auto with_recipe = [this](const std::string& name) {
        return file(name + ".yaml", "recipes:\n  - name: " + name +
                                        "\n    algorithm: hmac-sha256\n    keys: {form: text}\n"
                                        "    signature: {header: X-Sign, container: raw, encoding: hex}\n"
                                        "    timestamp: none\n    signed: [body]\n    body: json\n"
                                        "    extract: {id: /id, type: /type, order_by: [], livemode: true}\n"
                                        "    day: none\n    digest: [body]\n");
    };
    const auto own = with_recipe("own");
    const auto other = with_recipe("other");
    EXPECT_EQ(call({"recipes", "--config", own, "show", "own"}), Exit::ok) << err_.str();
    EXPECT_EQ(call({"recipes", "show", "own", "--config", own}), Exit::ok) << err_.str();
    EXPECT_EQ(call({"recipes", "--config", other, "show", "own", "--config", own}), Exit::ok) << err_.str();
    setenv("SLUICE_CONFIG", other.c_str(), 1);
    EXPECT_EQ(call({"recipes", "show", "other"}), Exit::ok) << err_.str();
    EXPECT_EQ(call({"recipes", "--config", own, "show", "own"}), Exit::ok) << err_.str();
    unsetenv("SLUICE_CONFIG");
}

TEST_F(RunTest, RecipesAreListedAndSaidInWords) {
    EXPECT_EQ(call({"recipes"}), Exit::ok);
    EXPECT_TRUE(out_.str().contains("stripe")) << out_.str();
    EXPECT_EQ(call({"recipes", "show", "stripe"}), Exit::ok);
    EXPECT_TRUE(out_.str().contains("timestamp + \".\" + body")) << out_.str();
    EXPECT_EQ(call({"recipes", "show", "adyen"}), Exit::ok);
    EXPECT_TRUE(out_.str().contains("several in one delivery, at /notificationItems, each signed"))
        << out_.str();
    EXPECT_EQ(call({"recipes", "show", "mercado-pago", "--json"}), Exit::ok);
    EXPECT_TRUE(parse_json(out_.str()).value()["trust"].get<std::string>().starts_with("none")) << out_.str();
    EXPECT_EQ(call({"recipes", "show", "unionpay"}), Exit::ok);
    EXPECT_TRUE(out_.str().contains("SHA-256 of all fields except signature")) << out_.str();
    EXPECT_EQ(call({"recipes", "show", "nobody"}), Exit::usage);
    EXPECT_TRUE(err_.str().contains("the recipes are: ")) << err_.str();
}

TEST_F(RunTest, PagesAreOfOneRecipeOrOfAll) {
    EXPECT_EQ(call({"recipes", "page", "github"}), Exit::ok);
    EXPECT_TRUE(out_.str().starts_with("# GitHub\n")) << out_.str();
    EXPECT_EQ(call({"recipes", "page", "--all", folder_.string()}), Exit::ok) << err_.str();
    EXPECT_TRUE(std::filesystem::exists(folder_ / "README.md"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "wechat-pay.md"));
    EXPECT_EQ(call({"recipes", "page"}), Exit::usage);
    EXPECT_EQ(call({"recipes", "page", "nobody"}), Exit::usage);
    EXPECT_EQ(call({"recipes", "page", "--all", "/nowhere"}), Exit::no);
}

TEST_F(RunTest, SamplesAreJudgedByARecipe) {
    const std::string head =
        "recipe: github\nsource: {keys: [{id: a, value: {text: s}}]}\nsamples:\n"
        "  - {name: nothing signed, body: x, accepted: ";
    EXPECT_EQ(call({"recipes", "test", file("right.yaml", head + "false}\n")}), Exit::ok) << err_.str();
    EXPECT_TRUE(out_.str().contains("1 of 1 sample as expected")) << out_.str();
    EXPECT_EQ(call({"recipes", "test", file("wrong.yaml", head + "true}\n"), "--json"}), Exit::no);
    EXPECT_EQ(parse_json(out_.str()).value()["wrong"], 1);
    EXPECT_EQ(call({"recipes", "test", file("bad.yaml", head + "perhaps}\n")}), Exit::usage);
    EXPECT_TRUE(err_.str().contains("bad.yaml:4")) << err_.str();
    EXPECT_EQ(call({"recipes", "test", "/nowhere.yaml"}), Exit::usage);
}

TEST_F(RunTest, SamplesMayNameARecipeOfTheConfiguration) {
    const std::string config =
        file("own.yaml",
             "recipes:\n"
             "  - {name: acme, algorithm: equal, keys: {form: text}, timestamp: none, signed: nothing, "
             "trust: none,\n"
             "     signature: {header: X-Acme, container: raw, encoding: text}, body: json, day: none,\n"
             "     digest: [body], extract: {id: /id, type: /type, order_by: [], livemode: true}}\n");
    const std::string samples = file("acme.yaml",
                                     "recipe: acme\nsource: {keys: [{id: a, value: {text: token}}]}\n"
                                     "samples: [{name: a, headers: {X-Acme: token}, accepted: true}]\n");
    EXPECT_EQ(call({"recipes", "test", samples, "--config", config}), Exit::ok) << err_.str();
    EXPECT_EQ(call({"recipes", "test", samples}), Exit::usage);
}

TEST_F(RunTest, TheEnvironmentNamesTheConfiguration) {
    setenv("SLUICE_CONFIG", file("sluice.yaml", sample_config).c_str(), 1);
    const std::string request =
        file("r.http", signed_request(sample_source(), sample_body, at(1'790'000'000)));
    EXPECT_EQ(call({"verify", "--source", "stripe-eu", "--request", request, "-o", "yaml"}), Exit::ok);
    EXPECT_TRUE(out_.str().starts_with("\"accepted\": true\n")) << out_.str();
    unsetenv("SLUICE_CONFIG");
}

TEST_F(RunTest, CommandsMayHaveAFileOfTheirOwnUnlessOneIsNamed) {
    setenv("SLUICE_CONFIG", file("sluice.yaml", "mysql: {prot: 1}\n").c_str(), 1);
    setenv("SLUICE_COMMANDS_CONFIG", file("commands.yaml", "mysql: {prot: 1}\n").c_str(), 1);
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"command", "list"}, {"command", "show", "refund", "k1"}}) {
        EXPECT_EQ(call(command), Exit::usage);
        EXPECT_TRUE(err_.str().contains("commands.yaml:1")) << err_.str();
        std::vector<std::string> named = command;
        named.insert(named.end(), {"--config", file("named.yaml", "mysql: {prot: 1}\n")});
        EXPECT_EQ(call(named), Exit::usage);
        EXPECT_TRUE(err_.str().contains("named.yaml:1")) << err_.str();
    }
    EXPECT_EQ(call({"dlq", "list"}), Exit::usage);
    EXPECT_TRUE(err_.str().contains("sluice.yaml:1")) << "all else has the other one: " << err_.str();
    unsetenv("SLUICE_CONFIG");
    unsetenv("SLUICE_COMMANDS_CONFIG");
}

TEST_F(RunTest, AnUnknownSourceIsTwoAndNamesThoseThereAre) {
    const std::string config = file("sluice.yaml", sample_config);
    EXPECT_EQ(call({"verify", "--config", config, "--source", "stripe-us", "--request", config}),
              Exit::usage);
    EXPECT_TRUE(err_.str().contains("stripe-eu")) << err_.str();
}

TEST_F(RunTest, APolledSourceHasNoRequests) {
    const std::string list = "  - {name: stripe-list, recipe: stripe, principal: acct_main, poll: {}}\n";
    const std::string config = file("sluice.yaml", sample_config + list);
    const std::string sentence =
        "source \"stripe-list\" is polled: no request comes to it, and it has no signature";
    const std::string request =
        file("r.http", signed_request(sample_source(), sample_body, at(1'790'000'000)));
    EXPECT_EQ(call({"verify", "--config", config, "--source", "stripe-list", "--request", request}),
              Exit::usage);
    EXPECT_TRUE(err_.str().contains(sentence)) << err_.str();
    EXPECT_EQ(call({"verify", "--config", config, "--source", "stripe-eu", "--request", request}), Exit::ok);
    const std::vector<std::string> to_nobody{"send",  "--config",           config,
                                             "--url", "http://127.0.0.1:1", "--quiet"};
    const auto send = [&](std::vector<std::string> more) {
        more.insert(more.begin(), to_nobody.begin(), to_nobody.end());
        return call(std::move(more));
    };
    EXPECT_EQ(send({"--source", "stripe-list"}), Exit::usage);
    EXPECT_TRUE(err_.str().contains(sentence)) << err_.str();
    EXPECT_EQ(send({"--provider", "stripe"}), Exit::unreachable) << "the webhook's is meant: " << err_.str();
    const std::string alone = file("alone.yaml", "sources:\n" + list);
    EXPECT_EQ(call({"send", "--config", alone, "--provider", "stripe"}), Exit::usage);
    EXPECT_TRUE(err_.str().contains(sentence)) << err_.str();
}

TEST_F(RunTest, CertificatesAreFetchedOnlyForSourcesThatLookThemUp) {
    const std::string config = file("sluice.yaml", sample_config);
    for (const std::string command : {"fetch", "list"}) {
        EXPECT_EQ(call({"paypal", command, "--config", config, "--source", "stripe-eu"}), Exit::usage);
        EXPECT_TRUE(err_.str().contains("does not look up certificates")) << err_.str();
    }
}

TEST_F(RunTest, SendStaysOnThisMachineUnlessToldOtherwise) {
    const std::string config = file("sluice.yaml", sample_config);
    EXPECT_EQ(call({"send", "--config", config, "--source", "stripe-eu", "--url", "http://example.com"}),
              Exit::usage);
    EXPECT_TRUE(err_.str().contains("--allow-remote")) << err_.str();
}

TEST_F(RunTest, SendChecksEveryBodyBeforeTheFirstByte) {
    const std::string config = file("sluice.yaml", sample_config);
    EXPECT_EQ(call({"send", "--config", config, "--source", "stripe-eu", "--url", "http://127.0.0.1:1",
                    "--set", "/id/x=1"}),
              Exit::usage);
    EXPECT_TRUE(err_.str().contains("--set")) << err_.str();
    EXPECT_EQ(call({"send", "--config", config, "--source", "stripe-eu", "--url", "http://127.0.0.1:1",
                    "--concurrency", "65"}),
              Exit::usage);
}

TEST_F(RunTest, SendToNobodyIsThree) {
    const std::string config = file("sluice.yaml", sample_config);
    EXPECT_EQ(
        call({"send", "--config", config, "--source", "stripe-eu", "--url", "http://127.0.0.1:1", "--quiet"}),
        Exit::unreachable);
}

}  // namespace sluice::ctl
