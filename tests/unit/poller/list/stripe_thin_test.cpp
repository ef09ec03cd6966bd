#include <gtest/gtest.h>

#include "common/error.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

const EventList& thin() {
    return *list_of("stripe", "thin_events");
}

Result<RawPage> read(const std::string& next) {
    webhook::JsonView view;
    const std::string body = R"({"data": [], "next_page_url": )" + next + R"(, "previous_page_url": null})";
    return thin().read(all_in(WallTime{}, {}, 1), {}, body, view);
}

TEST(StripeThinListTest, AsksInItsWords) {
    const Request first = thin().request(all_in(WallTime{10s}, WallTime{70s}, 100), {});
    EXPECT_EQ(first.target,
              "/v2/core/events?limit=100&created%5Bgte%5D=1970-01-01T00%3A00%3A10.000Z"
              "&created%5Blt%5D=1970-01-01T00%3A01%3A10.000Z");
    EXPECT_EQ(first.headers.at(0).value, "2025-10-29.clover");
    EXPECT_EQ(thin().request(all_in(WallTime{10s}, {}, 1), {{"v2.core.account.created", "a.b"}}).target,
              "/v2/core/events?limit=1&created%5Bgte%5D=1970-01-01T00%3A00%3A10.000Z"
              "&types%5B0%5D=v2.core.account.created&types%5B1%5D=a.b");
}

TEST(StripeThinListTest, AsksForTheNextPageAsItsUrlStands) {
    Ask ask = all_in(WallTime{10s}, WallTime{70s}, 100);
    for (const std::string host : {"", "https://api.stripe.com"}) {
        ask.page = read('"' + host + R"(/v2/core/events?limit=100&page=a%2Bb=")").value().next;
        EXPECT_EQ(thin().request(ask, {{"a.b"}}).target, "/v2/core/events?limit=100&page=a%2Bb=") << host;
    }
}

TEST(StripeThinListTest, GoesToNoPageOfAnotherPathAndWritesNothingElseIntoARequest) {
    for (const std::string url :
         {"", "/v2/core/events", "/v2/core/events/evt_1?page=2", "/v1/events?page=2",
          "https://api.stripe.com", "https://", "http://api.stripe.com/v2/core/events?page=2",
          "//elsewhere/v2/core/events?page=2", "/v2/core/events?page=2 HTTP/1.1",
          "/v2/core/events?page=2\\r\\nHost: x", "/v2/core/events?page=2#x", "/v2/core/events?page=\\u00e9"})
        EXPECT_FALSE(read('"' + url + '"')) << url;
    EXPECT_FALSE(read("\"/v2/core/events?page=" + std::string(longest_token, 'x') + '"'));
    EXPECT_FALSE(read("true"));
    EXPECT_TRUE(read("null"));
}

TEST(StripeThinListTest, APageThatIsItsOwnNextOneIsNone) {
    webhook::JsonView view;
    Ask ask = all_in(WallTime{}, {}, 1);
    ask.page = "/v2/core/events?page=2";
    const std::string body = R"({"data": [], "next_page_url": "/v2/core/events?page=2"})";
    EXPECT_FALSE(thin().read(ask, {}, body, view));
}

TEST(StripeThinListTest, KnowsAnEventByTheEventItself) {
    webhook::JsonView view;
    const Ask ask{.what = Ask::What::one, .id = "evt_1/../x"};
    const Request request = thin().request(ask, {{"a.b"}});
    EXPECT_EQ(request.target, "/v2/core/events/evt_1%2F..%2Fx");
    EXPECT_EQ(request.headers.at(0).value, "2025-10-29.clover");
    EXPECT_TRUE(thin().read(ask, {}, R"({"id": "evt_1/../x", "type": "c.d"})", view));
    for (const std::string body :
         {R"({"id": "evt_2"})", R"({"data": [], "next_page_url": null})", "evt_1/../x", ""})
        EXPECT_FALSE(thin().read(ask, {}, body, view)) << body;
    EXPECT_EQ(thin().fault(ask, 404, "", view), Fault::gone);
    EXPECT_EQ(thin().fault(ask, 400, "", view), Fault::refused);
    EXPECT_EQ(thin().fault(ask, 429, "", view), Fault::limited);
}

TEST(StripeThinListTest, ItsTypesAreNotThoseOfTheOtherList) {
    const EventList& snapshots = *list_of("stripe");
    for (const std::string_view type :
         {"v1.billing.meter.error_report_triggered", "v2.core.account.updated"}) {
        EXPECT_TRUE(thin().has_type(type));
        EXPECT_FALSE(snapshots.has_type(type));
    }
    for (const std::string_view type : {"invoice.paid", "vat.changed", ""}) {
        EXPECT_FALSE(thin().has_type(type));
        EXPECT_TRUE(snapshots.has_type(type));
    }
}

}  // namespace
}  // namespace sluice::poller
