#include "ctl/listen/receiver.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "common/config/problems.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/listen/signing_source.hpp"

namespace sluice::ctl {
namespace {

using Signature = Message::Signature;

const WallTime now{std::chrono::seconds{1'790'000'000}};
const std::string body = R"({"amount":500})";
const std::string current = "the destination's current secret";
const std::string former = "the destination's former secret!";

std::string signed_with(const std::string& secret, const std::string& id, std::int64_t at) {
    crypto::HmacSha256 mac{Secret{secret}};
    const std::string time = std::to_string(at);
    const std::array<std::string_view, 5> segments{id, ".", time, ".", body};
    return "v1," + crypto::to_base64(crypto::as_text(mac(segments)));
}

class ListenReceiver : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path{testing::TempDir()} / ("listen" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string file_with(const std::string& text) {
        const auto path = folder_ / std::to_string(files_++);
        std::ofstream{path, std::ios::binary} << text;
        return path.string();
    }
    std::string secret_file(const std::string& secret) {
        return file_with("whsec_" + crypto::to_base64(secret) + "\n");
    }
    Receiver receiver_with(const std::vector<std::string>& secrets, int answer = 204) {
        std::vector<std::string> files;
        for (const auto& secret : secrets) files.push_back(secret_file(secret));
        return {source_of(files), answer};
    }
    std::shared_ptr<const webhook::Source> source_of(const std::vector<std::string>& files) {
        std::ostringstream out;
        Console console{.out = out, .err = err_, .clock = clock_};
        return signing_source(files, console);
    }

    std::ostringstream err_;

private:
    std::filesystem::path folder_;
    int files_ = 0;
    SystemClock clock_;
};

/// As the relay sends it, five seconds ago.
struct Post {
    std::string id = "3f9a2b7c01de4455";
    std::string timestamp = "1789999995";
    std::string signature = signed_with(current, "3f9a2b7c01de4455", 1'789'999'995);
    std::string sent_body = body;
    std::string idempotency_key = id;

    Message to(Receiver& receiver) const {
        std::vector<webhook::HeaderField> headers{{"Idempotency-Key", idempotency_key},
                                                  {"webhook-id", id},
                                                  {"webhook-timestamp", timestamp},
                                                  {"sluice-source", "stripe-eu"},
                                                  {"sluice-effect", "credit"}};
        if (!signature.empty()) headers.push_back({"webhook-signature", signature});
        return receiver.take({.method = "POST", .target = "/", .headers = headers, .body = sent_body}, now);
    }
};

TEST_F(ListenReceiver, TakesWhatTheSecretSigned) {
    Receiver receiver = receiver_with({current});
    const Message message = Post{}.to(receiver);
    EXPECT_EQ(message.signature, Signature::verified);
    EXPECT_EQ(message.answer, 204);
    EXPECT_EQ(message.key, "3f9a2b7c01de4455");
    EXPECT_EQ(message.source, "stripe-eu");
    EXPECT_EQ(message.effect, "credit");
    EXPECT_EQ(message.body, body);
    EXPECT_FALSE(message.is_again);
}

TEST_F(ListenReceiver, TakesEitherSecretInAnyPlaceOfTheHeader) {
    Receiver both = receiver_with({current, former});
    Receiver one = receiver_with({former});
    Post post;
    post.signature = signed_with(former, post.id, 1'789'999'995);
    EXPECT_EQ(post.to(both).signature, Signature::verified);
    post.signature = signed_with(current, post.id, 1'789'999'995) + " " + post.signature;
    EXPECT_EQ(post.to(one).signature, Signature::verified);
}

TEST_F(ListenReceiver, RefusesWhatTheSecretDidNotSign) {
    Receiver receiver = receiver_with({current});
    Post other_body;
    other_body.sent_body = R"({"amount":501})";
    Post other_id;
    other_id.id = "0000";
    Post other_time;
    other_time.timestamp = "1789999996";
    Post other_secret;
    other_secret.signature = signed_with(former, other_secret.id, 1'789'999'995);
    Post no_base64;
    no_base64.signature = "v1,???";
    for (const Post& post : {other_body, other_id, other_time, other_secret, no_base64}) {
        const Message message = post.to(receiver);
        EXPECT_EQ(message.signature, Signature::wrong);
        EXPECT_FALSE(message.check.empty());
        EXPECT_EQ(message.answer, 401);
    }
}

TEST_F(ListenReceiver, RefusesWhatIsOlderOrNewerThanFiveMinutes) {
    Receiver receiver = receiver_with({current});
    for (const auto& [at, expected] :
         std::vector<std::pair<std::int64_t, Signature>>{{1'789'999'700, Signature::verified},
                                                         {1'789'999'699, Signature::stale},
                                                         {1'790'000'300, Signature::verified},
                                                         {1'790'000'301, Signature::stale}}) {
        Post post;
        post.timestamp = std::to_string(at);
        post.signature = signed_with(current, post.id, at);
        EXPECT_EQ(post.to(receiver).signature, expected) << at;
    }
}

TEST_F(ListenReceiver, RefusesWhatIsNotSigned) {
    Receiver receiver = receiver_with({current});
    Post post;
    post.signature.clear();
    const Message message = post.to(receiver);
    EXPECT_EQ(message.signature, Signature::missing);
    EXPECT_EQ(message.answer, 401);
}

TEST_F(ListenReceiver, WithoutSecretsTakesAll) {
    Receiver receiver = receiver_with({});
    Post post;
    EXPECT_EQ(post.to(receiver).signature, Signature::unchecked);
    post.signature.clear();
    const Message again = post.to(receiver);
    EXPECT_EQ(again.answer, 204);
    EXPECT_TRUE(again.is_again);
}

TEST_F(ListenReceiver, KnowsAKeyThatItHasTaken) {
    Receiver receiver = receiver_with({current});
    EXPECT_FALSE(Post{}.to(receiver).is_again);
    EXPECT_TRUE(Post{}.to(receiver).is_again);
}

TEST_F(ListenReceiver, AForgedMessageDoesNotMakeAKeyKnown) {
    Receiver receiver = receiver_with({current});
    Post forged;
    forged.signature = signed_with(former, forged.id, 1'789'999'995);
    EXPECT_FALSE(forged.to(receiver).is_again);
    EXPECT_FALSE(Post{}.to(receiver).is_again);
    EXPECT_FALSE(forged.to(receiver).is_again) << "nor does it learn that the key is known";
}

TEST_F(ListenReceiver, KnowsAMessageByTheKeyThatIsSigned) {
    Receiver receiver = receiver_with({current});
    EXPECT_FALSE(Post{}.to(receiver).is_again);
    Post replayed;
    replayed.idempotency_key = "another";
    EXPECT_TRUE(replayed.to(receiver).is_again);
}

TEST_F(ListenReceiver, GivesTheAnswerThatItWasTold) {
    Receiver receiver = receiver_with({current}, 503);
    EXPECT_EQ(Post{}.to(receiver).answer, 503);
    Post forged;
    forged.signature.clear();
    EXPECT_EQ(forged.to(receiver).answer, 401);
}

/// docs/receivers/vectors.json, but for work that fails: listen has none.
TEST_F(ListenReceiver, AnswersAsTheReceiversOfTheDocumentation) {
    const Json vectors = parse_json(file_content(SLUICE_TREE "/docs/receivers/vectors.json")).value();
    const WallTime then{std::chrono::seconds{vectors["now"].get<std::int64_t>()}};
    std::map<std::string, Receiver> receivers;
    int compared = 0;
    for (const Json& one : vectors["cases"]) {
        const std::string name = one["case"];
        if (name.contains("fail") || name.contains("empty secret")) continue;
        const std::string secrets = one["secrets"].dump();
        if (!receivers.contains(secrets)) {
            std::vector<std::string> files;
            for (const std::string secret : one["secrets"]) files.push_back(file_with(secret));
            receivers.emplace(secrets, Receiver{source_of(files), 204});
        }
        const std::map<std::string, std::string> headers = one["headers"];
        std::vector<webhook::HeaderField> fields;
        for (const auto& [field, value] : headers) fields.push_back({field, value});
        const std::string sent = one["body"];
        const Message message = receivers.at(secrets).take(
            {.method = "POST", .target = "/", .headers = fields, .body = sent}, then);
        EXPECT_EQ(message.answer, one["answer"].get<int>()) << name;
        EXPECT_EQ(message.is_taken() && !message.is_again, one["work"].get<bool>()) << name;
        ++compared;
    }
    EXPECT_GT(compared, 20);
}

TEST_F(ListenReceiver, SecretThatIsNoBase64IsRefusedWithoutBeingShown) {
    const std::string file = file_with("whsec_not!base64");
    try {
        (void)source_of({file});
        FAIL() << "it was taken";
    } catch (const config::Refused& refused) {
        EXPECT_FALSE(std::string{refused.what()}.contains("not!base64")) << refused.what();
    }
}

TEST(ListenSeenKeys, ForgetTheOldestFirst) {
    SeenKeys seen{2};
    EXPECT_FALSE(seen.add("a"));
    EXPECT_FALSE(seen.add("b"));
    EXPECT_TRUE(seen.add("a"));
    EXPECT_FALSE(seen.add("c"));
    EXPECT_TRUE(seen.add("b"));
    EXPECT_FALSE(seen.add("a"));
}

}  // namespace
}  // namespace sluice::ctl
