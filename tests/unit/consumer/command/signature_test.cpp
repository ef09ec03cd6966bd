#include "consumer/command/signature.hpp"

#include <gtest/gtest.h>

#include "consumer/command/command_record.hpp"
#include "tests/unit/consumer/command/sample.hpp"

namespace sluice::command {
namespace {

/// A command as it lies on the topic, and all that vouches for it.
struct SignedRecord {
    std::string key;
    std::string value;
    Place place{.topic_id = "kX3mQp7vTHm2Jb0e5cV1dA", .group = "sluice"};
    std::string signature;
};

std::vector<OperatorKey> two_keys() {
    std::vector<OperatorKey> keys;
    keys.push_back({.id = "ada-2026", .operator_name = "ada", .secret = Secret{std::string(32, 'a')}});
    keys.push_back({.id = "on-call", .operator_name = "", .secret = Secret{std::string(32, 'b')}});
    return keys;
}

SignedRecord signed_record(const Command& command, const OperatorKey& key) {
    SignedRecord record{.key = record_key(command), .value = encode(command).value(), .signature = {}};
    record.signature = sign(command_of(record.key, record.value), record.place, key);
    return record;
}

std::optional<Doubt> doubt_about(const SignedRecord& record, std::span<const OperatorKey> keys) {
    const auto signer = signer_of(record.signature, command_of(record.key, record.value), record.place, keys);
    return signer ? std::nullopt : std::optional{signer.error()};
}

TEST(Signature, NamesTheKeyThatMadeIt) {
    const auto keys = two_keys();
    for (const OperatorKey& key : keys) {
        const auto record = signed_record(sample_command(), key);
        const auto signer =
            signer_of(record.signature, command_of(record.key, record.value), record.place, keys);
        ASSERT_TRUE(signer);
        EXPECT_EQ((*signer)->id, key.id);
    }
}

/// The bytes that docs and header promise, so that another program can make them.
TEST(Signature, IsOverLengthsAndParts) {
    const OperatorKey key{.id = "k", .operator_name = "", .secret = Secret{std::string(32, 'a')}};
    const Place place{.topic_id = "topic", .group = "group"};
    EXPECT_EQ(sign(command_of("key", "value"), place, key),
              "k:eb97b838b364bf13aa88d41f260e8deef7a881c0a681aeea00174852059bf1b8");
}

TEST(Signature, IsOverEveryByteOfEveryKindOfCommand) {
    const auto keys = two_keys();
    for (const auto action : {store::ActionKind::retry, store::ActionKind::skip, store::ActionKind::close}) {
        Command command = sample_command();
        command.action = action;
        const auto record = signed_record(command, keys[0]);
        for (std::size_t i = 0; i < record.value.size(); ++i) {
            auto changed = record;
            changed.value[i] = static_cast<char>(changed.value[i] ^ 1);
            EXPECT_EQ(doubt_about(changed, keys), Doubt::forged) << i;
        }
    }
    auto edit = signed_record(sample_edit("{\"amount\":700}"), keys[0]);
    edit.value[edit.value.find("700")] = '9';
    EXPECT_EQ(doubt_about(edit, keys), Doubt::forged);
}

TEST(Signature, IsOverWhereTheCommandLies) {
    const auto keys = two_keys();
    const auto record = signed_record(sample_command(), keys[0]);
    auto elsewhere = record;
    elsewhere.key += "x";
    EXPECT_EQ(doubt_about(elsewhere, keys), Doubt::forged) << "another object";
    elsewhere = record;
    elsewhere.place.topic_id = "another installation's";
    EXPECT_EQ(doubt_about(elsewhere, keys), Doubt::forged);
    elsewhere = record;
    elsewhere.place.group = "another group's";
    EXPECT_EQ(doubt_about(elsewhere, keys), Doubt::forged);
    elsewhere = record;
    elsewhere.value = elsewhere.key.back() + elsewhere.value;
    elsewhere.key.pop_back();
    EXPECT_EQ(doubt_about(elsewhere, keys), Doubt::forged) << "parts do not slide into each other";
}

TEST(Signature, OfOneKeyIsNoneUnderAnotherName) {
    const auto keys = two_keys();
    auto record = signed_record(sample_command(), keys[1]);
    record.signature.replace(0, record.signature.find(':'), keys[0].id);
    EXPECT_EQ(doubt_about(record, keys), Doubt::forged);
    auto twins = two_keys();
    twins[0].secret = twins[1].secret.clone();
    EXPECT_EQ(doubt_about(record, twins), Doubt::forged) << "the id is signed too";
}

TEST(Signature, SaysWhyNobodyVouches) {
    const auto keys = two_keys();
    auto record = signed_record(sample_command(), keys[0]);
    EXPECT_EQ(doubt_about(record, std::span{keys}.subspan(1)), Doubt::unknown_key);
    const std::string good = record.signature;
    for (const std::string& text :
         {std::string{}, std::string{"ada-2026"}, std::string{"ada-2026:"}, good.substr(0, good.size() - 1),
          good + "0", good.substr(0, good.size() - 1) + "G", std::string(1 << 20, ':')}) {
        record.signature = text;
        EXPECT_EQ(doubt_about(record, keys), Doubt::not_signed) << text.substr(0, 100);
    }
}

TEST(Signature, OfAnOperatorsKeyIsForThatOperatorAlone) {
    const auto keys = two_keys();
    EXPECT_TRUE(may_sign_as(keys[0], "ada"));
    EXPECT_FALSE(may_sign_as(keys[0], "kim"));
    EXPECT_FALSE(may_sign_as(keys[0], ""));
    EXPECT_TRUE(may_sign_as(keys[1], "kim")) << "a key that is nobody's";
}

TEST(Signature, HasIdsThatCanStandInAHeader) {
    for (const char* good : {"a", "on-call.2026_11"}) EXPECT_TRUE(is_key_id(good)) << good;
    for (const std::string& bad :
         {std::string{}, std::string{"a:b"}, std::string{"a b"}, std::string(65, 'a')})
        EXPECT_FALSE(is_key_id(bad)) << bad;
}

/// The same bytes, signed for one purpose, mean nothing for another.
TEST(Signature, IsForOnePurposeAlone) {
    const auto keys = two_keys();
    const Place place{.topic_id = "topic", .group = "group"};
    const auto command = command_of("key", "value");
    const auto proposal = proposal_of("key", "value");
    const auto approval = approval_of("key", "value", "", "");
    for (const auto* made : {&command, &proposal, &approval}) {
        const auto signature = sign(*made, place, keys[0]);
        for (const auto* read : {&command, &proposal, &approval})
            EXPECT_EQ(signer_of(signature, *read, place, keys).has_value(), made == read);
    }
    const auto signature = sign(proposal, place, keys[0]);
    for (const auto& other :
         {proposal_of("kex", "value"), proposal_of("key", "valuf"), proposal_of("keyv", "alue")})
        EXPECT_FALSE(signer_of(signature, other, place, keys));
}

TEST(Signature, OfAnApprovalIsOverTheProposalsAndWhatIsSaid) {
    const auto keys = two_keys();
    const Place place{.topic_id = "topic", .group = "group"};
    const auto signature = sign(approval_of("key", "value", "ada:1", "bob agrees"), place, keys[1]);
    for (const auto& other : {approval_of("kex", "value", "ada:1", "bob agrees"),
                              approval_of("key", "valuf", "ada:1", "bob agrees"),
                              approval_of("key", "value", "ada:2", "bob agrees"),
                              approval_of("key", "value", "ada:1", "bob agreed"),
                              approval_of("key", "value", "ada:1b", "ob agrees")})
        EXPECT_FALSE(signer_of(signature, other, place, keys));
}

TEST(Signature, IsOfTwoOperatorsOnlyByTwoNamedKeys) {
    const auto key = [](const char* id, const char* name) {
        return OperatorKey{.id = id, .operator_name = name, .secret = Secret{std::string(32, 'a')}};
    };
    EXPECT_TRUE(are_two_operators(key("a", "ada"), key("b", "bob")));
    EXPECT_FALSE(are_two_operators(key("a", "ada"), key("a", "ada")));
    EXPECT_FALSE(are_two_operators(key("a", "ada"), key("a2", "ada"))) << "two keys of one operator";
    EXPECT_FALSE(are_two_operators(key("a", "ada"), key("b", "")));
    EXPECT_FALSE(are_two_operators(key("a", ""), key("b", "bob")));
}

}  // namespace
}  // namespace sluice::command
