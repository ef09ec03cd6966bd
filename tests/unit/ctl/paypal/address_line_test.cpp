#include "ctl/paypal/address_line.hpp"

#include "tests/unit/ctl/paypal/certificate_fixture.hpp"

namespace sluice::ctl {
namespace {

using State = AddressLine::State;

class AddressLines : public CertificateTest {
protected:
    AddressLine judged(const std::string& answer) {
        const auto current = trust();
        AddressLine line = look_up(current, address, now());
        judge_answer(line, current, answer, now());
        return line;
    }
};

TEST_F(AddressLines, AreRefusedWithoutAFetchWhenTheAddressIsNotTheSources) {
    for (const std::string wrong :
         {"http://api.paypal.com/a", "https://api.paypal.com:8443/a", "https://evil.example/a",
          "https://api.paypal.com.evil.example/a", "https://api.paypal.com/a?b", "file:///etc/passwd", ""}) {
        const auto line = look_up(trust(), wrong, now());
        EXPECT_EQ(line.state, State::refused) << wrong;
        EXPECT_TRUE(line.holding.why.contains("api.paypal.com, api.sandbox.paypal.com")) << line.holding.why;
    }
}

TEST_F(AddressLines, AreWantedUntilTheFolderHoldsOneThatIsBelieved) {
    EXPECT_EQ(look_up(trust(), address, now()).state, State::wanted);
    hold(address, pem("paypal_expired"));
    const auto expired = look_up(trust(), address, now());
    EXPECT_EQ(expired.state, State::wanted);
    EXPECT_EQ(expired.holding.why, "certificate has expired");
    EXPECT_TRUE(expired.replaces);
    hold(address, pem("paypal_leaf") + pem("paypal_intermediate"));
    const auto held = look_up(trust(), address, now());
    EXPECT_EQ(held.state, State::there);
    EXPECT_EQ(held.holding.subject, "messageverificationcerts.sandbox.paypal.com");
    EXPECT_EQ(look_up(trust(), "https://api.paypal.com/other", now()).state, State::wanted);
}

TEST_F(AddressLines, AreWrittenAsTheIngressWillReadThem) {
    const std::string leaf = pem("paypal_leaf");
    const std::string above = pem("paypal_intermediate");
    for (const std::string& answer : {leaf + above, above + leaf, "note\n" + above + "\r\n" + leaf}) {
        const auto line = judged(answer);
        EXPECT_EQ(line.state, State::to_be_written) << line.holding.why;
        EXPECT_EQ(line.text, leaf + above);
        EXPECT_EQ(line.holding.why, "");
    }
    hold(address, leaf + above);
    EXPECT_EQ(judged(above + leaf).state, State::unchanged);
    EXPECT_EQ(judged(pem("paypal_renewed")).state, State::to_be_written);
}

// Never a private key, whatever the server sends along.
TEST_F(AddressLines, HoldNothingButCertificates) {
    const std::string key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    EXPECT_EQ(judged(key + pem("paypal_direct")).text, pem("paypal_direct"));
}

TEST_F(AddressLines, AreRefusedWithTheReasonWhenTheIngressWouldNotBelieve) {
    const std::vector<std::pair<std::string, std::string>> answers{
        {"<html>", "no certificates in PEM"},
        {"", "no certificates in PEM"},
        {pem("paypal_leaf").substr(0, 900), "no certificates in PEM"},
        {pem("paypal_leaf"), "unable to get local issuer certificate"},
        {pem("paypal_other_chain") + pem("paypal_other_root"),
         "self-signed certificate in certificate chain"},
        {pem("paypal_expired"), "certificate has expired"},
        {pem("paypal_early"), "certificate is not yet valid"},
        {pem("paypal_longer"),
         "messageverificationcerts.paypal.com.example\", not one that ends in \".paypal.com"},
        {pem("paypal_two_names"), "certs.paypal.com, certs.example"},
        {pem("paypal_sha1"), "too weak"}};
    for (const auto& [answer, why] : answers) {
        const auto line = judged(answer);
        EXPECT_EQ(line.state, State::refused) << why;
        EXPECT_TRUE(line.holding.why.contains(why)) << line.holding.why;
    }
    std::string many;
    for (int i = 0; i < 17; ++i) many += pem("paypal_direct");
    EXPECT_TRUE(judged(many).holding.why.contains("more than 16"));
}

TEST_F(AddressLines, LeaveNoFolderThatCannotBeRead) {
    std::vector<AddressLine> lines(
        3, AddressLine{.address = address, .holding = {.file = "f"}, .state = State::to_be_written});
    lines[0].replaces = true;
    refuse_beyond_room(lines, 255);
    EXPECT_EQ(lines[0].state, State::to_be_written);
    EXPECT_EQ(lines[1].state, State::to_be_written);
    EXPECT_EQ(lines[2].state, State::refused);
}

TEST_F(AddressLines, DecideTheExitCode) {
    const auto exit_with = [](State a, State b) {
        return exit_of({{.address = "", .holding = {.file = ""}, .state = a},
                        {.address = "", .holding = {.file = ""}, .state = b}});
    };
    EXPECT_EQ(exit_with(State::there, State::to_be_written), Exit::ok);
    EXPECT_EQ(exit_with(State::written, State::unchanged), Exit::ok);
    EXPECT_EQ(exit_with(State::unreachable, State::written), Exit::unreachable);
    EXPECT_EQ(exit_with(State::unreachable, State::refused), Exit::no);
}

TEST_F(AddressLines, AreSaidToPeopleAndToScripts) {
    const auto line = judged(pem("paypal_direct"));
    const Json json = to_json(std::vector{line}, now());
    EXPECT_EQ(json[0]["state"], "to be written");
    EXPECT_EQ(json[0]["file"], line.holding.file);
    EXPECT_EQ(json[0]["not_after"], "2045-01-01T00:00:00Z");
    EXPECT_EQ(json[0]["days_left"], 6615);
    EXPECT_TRUE(json[0]["why"].is_null());
    const std::string people = to_people({line, look_up(trust(), "https://evil.example/a", now())}, now());
    EXPECT_TRUE(people.contains("to be written")) << people;
    EXPECT_TRUE(people.contains("must be https at one of these hosts")) << people;
}

}  // namespace
}  // namespace sluice::ctl
