#include <gtest/gtest.h>

#include <cstdlib>

#include "poller/config/poll_settings.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::poller {
namespace {

class Polls : public testing::Test {
protected:
    Polls() { setenv("TEST_POLL_KEY", "rk_test_1", 1); }

    /// One source per text, each the inside of its `poll`; names and accounts differ.
    void read(const std::vector<std::string>& polls, const std::string& recipe = "stripe") {
        std::string text = "sources:\n";
        for (std::size_t i = 0; i < polls.size(); ++i) {
            const std::string number = std::to_string(i);
            text += "  - {name: list-" + number + ", recipe: " + recipe + ", principal: acct_" + number +
                    ", poll: {" + polls[i] + "}}\n";
        }
        read_text(text);
    }

    void read_text(const std::string& text) {
        reading_.emplace(text);
        const auto sources = webhook::read_sources_without_keys(reading_->document(), reading_->problems());
        polls_ = read_polls(reading_->document(), sources, std::chrono::days{90}, reading_->problems());
    }

    std::string report() { return reading_->report(); }

    std::optional<config::Reading> reading_;
    std::vector<PollSettings> polls_;
};

const std::string key = "key: {env: TEST_POLL_KEY}";

TEST_F(Polls, HaveTheDocumentedDefaults) {
    read({key});
    EXPECT_EQ(report(), "");
    ASSERT_EQ(polls_.size(), 1U);
    const PollSettings& poll = polls_.front();
    EXPECT_EQ(poll.key.now().bytes(), "rk_test_1");
    EXPECT_FALSE(poll.since);
    EXPECT_EQ(poll.interval, std::chrono::seconds{60});
    EXPECT_EQ(poll.overlap, std::chrono::minutes{5});
    EXPECT_EQ(poll.api.url, "https://api.stripe.com");
    EXPECT_EQ(poll.api.timeout, std::chrono::seconds{30});
    EXPECT_TRUE(poll.wanted.types.empty());
}

TEST_F(Polls, AreComparedWithTheInboxWhereTheySaySo) {
    read({key});
    EXPECT_FALSE(polls_.front().reconcile);
    read({key + ", reconcile: {every: 2h, apply: true}"});
    EXPECT_EQ(report(), "");
    ASSERT_TRUE(polls_.front().reconcile);
    EXPECT_EQ(polls_.front().reconcile->every, std::chrono::hours{2});
    EXPECT_EQ(polls_.front().reconcile->window, std::chrono::hours{48});
    EXPECT_TRUE(polls_.front().reconcile->applies);
    read({key + ", reconcile: {every: 6h, window: 17h}"});
    EXPECT_TRUE(report().contains("at least three times every")) << report();
}

TEST_F(Polls, NeedAKeyThatIsNoPlainText) {
    read({""});
    EXPECT_TRUE(report().contains("poll.key is missing")) << report();
    read({"key: rk_live_1"});
    EXPECT_TRUE(report().contains(":2:")) << report();
    EXPECT_FALSE(report().contains("rk_live_1"));
}

TEST_F(Polls, AreNotAskedWithAWebhooksSecret) {
    setenv("TEST_POLL_SECRET", "whsec_1234", 1);
    read({"key: {env: TEST_POLL_SECRET}"});
    EXPECT_TRUE(report().contains("signing secret of a webhook")) << report();
    EXPECT_FALSE(report().contains("1234"));
}

TEST_F(Polls, AreOfRecipesWithAList) {
    read({key}, "svix");
    EXPECT_TRUE(report().contains(
        "events of recipe svix cannot be polled: lists exist for stripe, gocardless, paddle"))
        << report();
}

TEST_F(Polls, AreOfEachRecipeWithAList) {
    for (const EventList* list : all_lists()) {
        const EventList::Facts facts = list->facts();
        read({key + ", since: 7d, list: " + std::string{facts.name}}, std::string{facts.recipe});
        EXPECT_EQ(report(), "");
        EXPECT_EQ(polls_.front().list, list);
    }
}

TEST_F(Polls, GoBackNoFurtherThanProviderAndInboxDo) {
    read({key + ", since: 30d"});
    EXPECT_EQ(report(), "");
    read({key + ", since: 31d"});
    EXPECT_TRUE(report().contains("since")) << report();
    read({key + ", since: 100d"}, "gocardless");
    EXPECT_TRUE(report().contains("inbox.keep")) << report();
}

TEST_F(Polls, AskAHostAndNothingElse) {
    for (const std::string url : {"https://api.stripe.com/v1", "ftp://a", "https://", "api.stripe.com",
                                  "https://a?b", "https://a#b", "https://key@a"}) {
        read({key + ", url: \"" + url + "\""});
        EXPECT_TRUE(report().contains("url must be https://")) << url << report();
    }
}

TEST_F(Polls, DoNotSendTheKeyUnencrypted) {
    read({key + ", url: \"http://127.0.0.1:1\""});
    EXPECT_TRUE(report().contains("unencrypted")) << report();
    read({key + ", url: \"http://127.0.0.1:1\", allow: [127.0.0.1]"});
    EXPECT_EQ(report(), "");
}

TEST_F(Polls, DoNotSendItThroughAProxyUnencrypted) {
    read({key + ", url: \"http://127.0.0.1:1\", allow: [127.0.0.1], proxy: \"http://10.0.0.5:3128\""});
    EXPECT_TRUE(report().contains("through the proxy unencrypted")) << report();
}

TEST_F(Polls, OfOneKeyShareABudget) {
    read({key, key + ", budget: 5"});
    EXPECT_TRUE(report().contains("have one key and so one budget")) << report();
}

TEST_F(Polls, OfOneAccountAreOne) {
    read_text("sources:\n  - {name: a, recipe: stripe, principal: x, poll: {" + key +
              "}}\n  - {name: b, recipe: stripe, principal: x, poll: {" + key + "}}\n");
    EXPECT_TRUE(report().contains("source \"b\" polls the list of source \"a\"")) << report();
}

TEST_F(Polls, OfOneAccountMayReadItsTwoLists) {
    read_text("sources:\n  - {name: a, recipe: stripe, principal: x, poll: {" + key +
              "}}\n  - {name: b, recipe: stripe, principal: x, poll: {list: thin_events, " + key + "}}\n");
    EXPECT_EQ(report(), "");
    read_text("sources:\n  - {name: a, recipe: stripe, principal: x, poll: {list: thin_events, " + key +
              "}}\n  - {name: b, recipe: stripe, principal: x, poll: {list: thin_events, " + key + "}}\n");
    EXPECT_TRUE(report().contains("one list is walked once")) << report();
}

TEST_F(Polls, NameAListOfTheirRecipe) {
    read({key + ", list: events"}, "paddle");
    EXPECT_EQ(report(), "");
    read({key + ", list: thin_events"}, "paddle");
    EXPECT_TRUE(report().contains("poll.list must be one of the lists of recipe paddle: events")) << report();
    read({key + ", list: snapshots"});
    EXPECT_TRUE(report().contains("recipe stripe: events, thin_events")) << report();
}

TEST_F(Polls, NameTypesOrTheirBeginnings) {
    read({key + ", types: [invoice.*, charge.refunded]"});
    EXPECT_EQ(report(), "");
    read({key + ", types: [\"*.paid\"]"});
    EXPECT_TRUE(report().contains("'*.paid' is neither a type")) << report();
}

TEST_F(Polls, NameTypesOfTheirList) {
    read({key + ", list: thin_events, types: [v1.billing.meter.no_meter_found, v2.*]"});
    EXPECT_EQ(report(), "");
    read({key + ", list: thin_events, types: [invoice.paid]"});
    EXPECT_TRUE(report().contains("'invoice.paid' is no type of list thin_events")) << report();
    read({key + ", types: [v1.billing.meter.no_meter_found]"});
    EXPECT_TRUE(report().contains("is no type of list events")) << report();
}

TEST_F(Polls, HaveNoOtherKeys) {
    read({key + ", intervall: 60s"});
    EXPECT_TRUE(report().contains("interval")) << report();
}

}  // namespace
}  // namespace sluice::poller
