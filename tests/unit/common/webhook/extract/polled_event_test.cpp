#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "common/time_text.hpp"
#include "common/webhook/extract/items.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

// A provider's webhook and its list of events say one event in two ways. Both copies must have equal keys and
// digests, whatever the white space and the fields around the event, or the inbox could not tell that they
// are one.
namespace sluice::webhook::test {
namespace {

using Json = nlohmann::ordered_json;

/// A webhook's source first, then the list's.
Configured both_sources(const std::string& recipe) {
    return Configured("sources: [{name: hook, recipe: " + recipe + ", principal: acct_main, " + one_key +
                      "}, {name: list, recipe: " + recipe + ", principal: acct_main, poll: {}}]\n");
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

/// A sample of `sluicectl send` with a value at each of its places: a number where the place alone is the
/// string.
Json filled(const std::filesystem::path& sample) {
    std::string text = text_of(sample);
    text = std::regex_replace(text, std::regex{"\\{\\{created_text\\}\\}"}, "2026-11-21T18:46:31.000Z");
    text = std::regex_replace(
        text, std::regex{"\"\\{\\{(created|object_created|amount|step|before|after)\\}\\}\""}, "1795286791");
    text = std::regex_replace(text, std::regex{"\"\\{\\{is_whole\\}\\}\""}, "true");
    return Json::parse(std::regex_replace(text, std::regex{"\\{\\{([a-z_]+)\\}\\}"}, "$1_1")).at("body");
}

struct Sample {
    std::string recipe;
    std::filesystem::path file;

    friend void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file.filename(); }
};

std::vector<Sample> samples() {
    std::vector<Sample> all;
    for (const std::string recipe : {"gocardless", "paddle", "stripe"})
        for (const auto& entry :
             std::filesystem::directory_iterator{std::filesystem::path{SLUICE_SAMPLES} / recipe})
            all.push_back({recipe, entry.path()});
    std::ranges::sort(all, {}, &Sample::file);
    return all;
}

/// Each event of the delivery as its provider's list has it.
std::vector<Json> listed(const std::string& recipe, const Json& delivery) {
    if (recipe == "gocardless") return {delivery.at("events").begin(), delivery.at("events").end()};
    Json event = delivery;
    if (recipe == "stripe" && event.contains("pending_webhooks")) event["pending_webhooks"] = 0;
    event.erase("notification_id");  // Paddle's, of a delivery
    return {event};
}

std::string with_crlf(const Json& json) {
    return std::regex_replace(json.dump(2), std::regex{"\n"}, "\r\n");
}

std::vector<std::string> renderings(const Json& json) {
    return {json.dump(), json.dump(2), json.dump(4), with_crlf(json)};
}

/// The same, out of pages with other events around it, as bytes of a page.
std::vector<std::string> as_elements(const Json& event) {
    const Json page{{"object", "list"}, {"data", {Json{{"id", "other"}}, event, Json{{"id", "last"}}}}};
    std::vector<std::string> elements;
    for (const std::string& text : renderings(page)) {
        JsonView view;
        EXPECT_TRUE(view.read(text));
        elements.emplace_back(view.elements(Pointer::parse("/data").value())->at(1));
    }
    return elements;
}

std::vector<Extracted> pushed(const Source& hook, const std::string& body) {
    JsonView view;
    JsonView element;
    std::vector<Extracted> events;
    if (!hook.has_items) {
        auto one = extract(hook, {"POST", hook.path, {}, body}, view);
        EXPECT_TRUE(one) << body;
        if (one) events.push_back(std::move(*one));
        return events;
    }
    auto items = extract_items(hook, {"POST", hook.path, {}, body}, view, element);
    EXPECT_TRUE(items) << body;
    for (auto& item : *items) {
        EXPECT_TRUE(item.event) << item.value;
        if (item.event) events.push_back(std::move(*item.event));
    }
    return events;
}

/// All that decides which event it is, whose, and whether two copies are one.
void expect_same(const Extracted& pushed, const Extracted& polled) {
    const record::EventHeaders& a = pushed.headers;
    const record::EventHeaders& b = polled.headers;
    EXPECT_EQ(a.provider + "/" + a.principal, b.provider + "/" + b.principal);
    EXPECT_EQ(a.event_id, b.event_id);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.object, b.object);
    EXPECT_EQ(a.livemode, b.livemode);
    EXPECT_EQ(a.occurred_at, b.occurred_at);
    EXPECT_EQ(a.event_day, b.event_day);
    EXPECT_EQ(a.dedup_key, b.dedup_key);
    EXPECT_EQ(a.content_digest, b.content_digest);
    EXPECT_EQ(a.keys, b.keys);
    EXPECT_EQ(pushed.ordering_key, polled.ordering_key);
}

void expect_nobody_signed(const Extracted& polled) {
    EXPECT_EQ(polled.headers.source, "list");
    EXPECT_EQ(polled.headers.trust, "api");
    EXPECT_EQ(polled.headers.content_type, "application/json");
    EXPECT_TRUE(polled.headers.http.empty());
    EXPECT_FALSE(polled.headers.item);
    EXPECT_FALSE(polled.headers.original);
}

class PolledEvent : public testing::TestWithParam<Sample> {};

TEST_P(PolledEvent, IsTheWebhooksEventInEveryRendering) {
    const auto& [recipe, file] = GetParam();
    const Configured configured = both_sources(recipe);
    ASSERT_EQ(configured.problems.report(), "");
    const Json delivery = filled(file);
    const std::vector<Json> events = listed(recipe, delivery);
    for (const std::string& body : renderings(delivery)) {
        const auto of_webhook = pushed(*configured.sources.at(0), body);
        ASSERT_EQ(of_webhook.size(), events.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            auto texts = renderings(events[i]);
            std::ranges::copy(as_elements(events[i]), std::back_inserter(texts));
            for (const std::string& text : texts) {
                SCOPED_TRACE(text);
                const auto polled = extracted(*configured.sources.at(1), text);
                ASSERT_TRUE(polled);
                expect_same(of_webhook[i], *polled);
                expect_nobody_signed(*polled);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, PolledEvent, testing::ValuesIn(samples()), [](const auto& one) {
    return std::regex_replace(one.param.recipe + "_" + one.param.file.stem().string(),
                              std::regex{"[^a-z0-9]"}, "_");
});

crypto::Digest digest_of(const Json& event, std::size_t source) {
    const Configured configured = both_sources("stripe");
    return extracted(*configured.sources.at(source), event.dump()).value().headers.content_digest;
}

Json thin_event() {
    return Json::parse(
        R"({"id":"evt_thin","object":"v2.core.event","type":"v1.billing.meter.no_meter_found",)"
        R"("created":"2026-11-21T18:46:31.000Z","livemode":true,"related_object":{"id":"mtr_1","type":"billing.meter"}})");
}

// The list fills in what the webhook only points to.
TEST(PolledThinEvent, IsTheWebhooksThoughTheListFillsInItsData) {
    Json polled = thin_event();
    polled["data"] = {{"developer_message_summary", "no meter"}, {"reason", {{"error_count", 2}}}};
    EXPECT_EQ(digest_of(polled, 1), digest_of(thin_event(), 0));
}

TEST(PolledThinEvent, IsTheWebhooksEventInEveryRendering) {
    const Configured configured = both_sources("stripe");
    Json listed = thin_event();
    listed["data"] = {{"developer_message_summary", "no meter"}, {"reason", {{"error_count", 2}}}};
    listed["changes"] = nullptr;
    listed["context"] = nullptr;
    for (const std::string& body : renderings(thin_event())) {
        const auto of_webhook = pushed(*configured.sources.at(0), body).at(0);
        EXPECT_EQ(of_webhook.headers.object, "mtr_1");
        EXPECT_EQ(of_webhook.headers.event_id, "evt_thin");
        EXPECT_EQ(of_webhook.headers.occurred_at, from_rfc3339("2026-11-21T18:46:31Z"));
        auto texts = renderings(listed);
        std::ranges::copy(as_elements(listed), std::back_inserter(texts));
        for (const std::string& text : texts) {
            SCOPED_TRACE(text);
            const auto polled = extracted(*configured.sources.at(1), text);
            ASSERT_TRUE(polled);
            expect_same(of_webhook, *polled);
            expect_nobody_signed(*polled);
        }
    }
}

// Then two sources of one account have it, and it is a duplicate of a peer
// (docs/decisions/0106-a-poll-is-a-source.md).
TEST(PolledThinEvent, ThatIsAboutNoObjectHasAnotherDigest) {
    Json pushed = thin_event();
    pushed["related_object"] = nullptr;
    Json polled = pushed;
    polled["data"] = {{"developer_message_summary", "no meter"}};
    EXPECT_NE(digest_of(polled, 1), digest_of(pushed, 0));
}

// What another API version, or another writer of JSON, would make of it.
TEST(PolledSnapshot, WithOtherKeysNumbersOrEscapesInItsDataHasAnotherDigest) {
    const Configured configured = both_sources("stripe");
    const auto digest = [&](const std::string& object) {
        const std::string event =
            R"({"id":"evt_1","type":"t","created":1795286791,"livemode":true,"data":)" + object + "}";
        return extracted(*configured.sources.at(1), event).value().headers.content_digest;
    };
    const auto first = digest(R"({"object":{"id":"é/","amount":1}})");
    EXPECT_EQ(first, digest(R"( { "object" : { "id" : "é/" , "amount" : 1 } } )"));
    for (const char* other :
         {R"({"object":{"amount":1,"id":"é/"}})", R"({"object":{"id":"\u00e9/","amount":1}})",
          R"({"object":{"id":"é\/","amount":1}})", R"({"object":{"id":"é/","amount":1.0}})"})
        EXPECT_NE(first, digest(other)) << other;
}

}  // namespace
}  // namespace sluice::webhook::test
