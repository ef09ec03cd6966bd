#include "consumer/store/callback/callback.hpp"

#include <array>

#include "common/time_text.hpp"
#include "consumer/store/callback/callback_list.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 28} + 12h;

CallbackEntry entry_at(std::int64_t offset, WallTime at) {
    return {.place = {CallbackPlace::Log::callbacks, 1, offset, 0},
            .received_at = at,
            .source = "eu",
            .verdict = "duplicate",
            .status = 200,
            .client = "192.0.2.1",
            .event = CallbackEvent{.id = "evt_1",
                                   .type = "charge.refunded",
                                   .object_key = "stripe/acct/pi_1",
                                   .day = day_of(noon),
                                   .dedup_key = crypto::sha256("evt_1")}};
}

class CallbackTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }
    void insert(const CallbackEntry& entry) {
        ASSERT_TRUE(insert_callbacks(*connection, std::array{entry})) << connection->last_error().message;
    }
    std::vector<ListedCallback> listed(const CallbackFilter& filter) {
        return list_callbacks(*connection, filter).value();
    }
    std::size_t count(const CallbackFilter& filter) { return listed(filter).size(); }

    std::unique_ptr<Connection> connection;
};

TEST_F(CallbackTest, RecordThatIsReadAgainStaysOneRow) {
    insert(entry_at(17, noon));
    CallbackEntry again = entry_at(17, noon);
    again.verdict = "accepted";
    insert(again);
    const auto found = listed({});
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].verdict, "duplicate");
}

TEST_F(CallbackTest, RecordOfALogThatWasMadeAnewIsAnother) {
    insert(entry_at(17, noon));
    insert(entry_at(17, noon + 1us));
    EXPECT_EQ(count({}), 2);
    EXPECT_EQ(find_callback(*connection, day_of(noon), entry_at(17, noon).place).value()->received_at,
              noon + 1us);
}

TEST_F(CallbackTest, IsFoundByAllThatIsKnownOfIt) {
    insert(entry_at(17, noon));
    insert(entry_at(18, noon + 1h));
    CallbackEntry other = entry_at(19, noon + 24h);
    other.event.reset();
    other.client = "2001:db8::1";
    other.verdict = "refused_signature";
    insert(other);
    EXPECT_EQ(count({}), 3);
    EXPECT_EQ(count({.events = std::vector{crypto::sha256("evt_1"), crypto::sha256("evt_2")}}), 2);
    EXPECT_EQ(count({.events = std::vector<crypto::Digest>{}}), 0);
    EXPECT_EQ(count({.object_key = "stripe/acct/pi_1"}), 2);
    EXPECT_EQ(count({.object_key = "stripe/acct/pi_2"}), 0);
    EXPECT_EQ(count({.client = "2001:db8::1"}), 1);
    EXPECT_EQ(count({.source = "us"}), 0);
    EXPECT_EQ(count({.verdict = "refused_signature"}), 1);
    EXPECT_EQ(count({.since = noon + 1h}), 2);
    EXPECT_EQ(count({.until = noon + 1h}), 1);
    const auto newest = listed({.limit = 2});
    ASSERT_EQ(newest.size(), 2);
    EXPECT_EQ(newest[0].place.offset, 18);
    EXPECT_EQ(newest[1].place.offset, 19);
    EXPECT_EQ(find_callback(*connection, newest[0].day, newest[0].place).value()->place.offset, 18);
    EXPECT_FALSE(find_callback(*connection, newest[0].day, {}).value());
}

TEST_F(CallbackTest, EveryByteComesBack) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    CallbackEntry entry = entry_at(17, noon);
    entry.body = bytes;
    entry.headers = "[]";
    entry.trace = std::string_view{bytes}.substr(200, 16);
    entry.body_size = 256;
    entry.took_us = 350;
    entry.requests = 1;
    insert(entry);
    EXPECT_FALSE(listed({})[0].body) << "a list of many says nothing of requests";
    const auto found = find_callback(*connection, day_of(noon), entry.place).value();
    EXPECT_EQ(found->body, bytes);
    EXPECT_EQ(found->headers, "[]");
    EXPECT_EQ(found->trace, bytes.substr(200, 16));
    EXPECT_EQ(found->body_size, 256);
    EXPECT_EQ(found->took_us, 350);
    EXPECT_EQ(found->object_key, "stripe/acct/pi_1");
    EXPECT_EQ(found->event->dedup_key, crypto::sha256("evt_1"));
}

TEST_F(CallbackTest, WhatIsLongerThanItsColumnIsCut) {
    const std::string text(2000, 'x');
    CallbackEntry entry = entry_at(17, noon);
    entry.source = entry.verdict = entry.reason = entry.client = text;
    entry.event->id = entry.event->type = entry.event->object_key = text;
    insert(entry);
    EXPECT_EQ(count({.object_key = text}), 1);
    EXPECT_EQ(count({.object_key = text + "y"}), 0) << "found by all of the key, not by what is kept of it";
}

TEST_F(CallbackTest, ManyRowsGoInSeveralStatements) {
    std::vector<CallbackEntry> entries;
    for (int i = 0; i < 2'500; ++i) entries.push_back(entry_at(i, noon));
    ASSERT_TRUE(insert_callbacks(*connection, entries));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM callback"), 2'500);
}

TEST_F(CallbackTest, ADuplicateThatIsKeptIsKnown) {
    insert(entry_at(17, noon));
    const std::array events{crypto::sha256("evt_1"), crypto::sha256("evt_2")};
    EXPECT_TRUE(kept_duplicates(*connection, events, day_of(noon)).value().empty()) << "it has no body";
    CallbackEntry with_body = entry_at(18, noon);
    with_body.body = "{}";
    insert(with_body);
    EXPECT_EQ(kept_duplicates(*connection, events, day_of(noon)).value(), std::set{events[0]});
    EXPECT_EQ(kept_duplicates(*connection, events, day_of(noon + 72h)).value(), std::set{events[0]});
    EXPECT_TRUE(kept_duplicates(*connection, events, day_of(noon + 96h)).value().empty());
}

TEST(ObjectHash, IsFixed) {
    EXPECT_EQ(object_hash("stripe/acct/pi_1"), object_hash("stripe/acct/pi_1"));
    EXPECT_EQ(object_hash(""), -2'039'914'840'885'289'964);  // e3b0c442 98fc1c14
}

}  // namespace
}  // namespace sluice::store
