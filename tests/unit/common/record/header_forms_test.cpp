#include <algorithm>

#include <gtest/gtest.h>

#include "common/record/event_record.hpp"
#include "common/record/separated.hpp"
#include "tests/unit/common/record/sample_event.hpp"

namespace sluice::record {
namespace {

using HeaderPairs = std::vector<std::pair<std::string, std::string>>;

HeaderPairs written(const EventHeaders& event, HeaderForm form) {
    EncodedHeaders memory{form};
    HeaderPairs pairs;
    for (const auto& [name, value] : memory.encode(event)) pairs.emplace_back(name, value);
    return pairs;
}

std::vector<HeaderView> headers_in(const HeaderPairs& pairs) {
    std::vector<HeaderView> headers;
    for (const auto& [name, value] : pairs) headers.push_back({name, value});
    return headers;
}

HeaderPairs packed() {
    return written(test::event_with_everything(), HeaderForm::packed);
}

TEST(HeaderForms, PackedIsOneHeaderBesideTheTrace) {
    HeaderPairs headers = packed();
    ASSERT_EQ(headers.size(), 3U);
    EXPECT_EQ(headers[0].first, "sluice");
    EXPECT_EQ(headers[1].first, "traceparent");
    EXPECT_EQ(headers[2].first, "tracestate");
    EventHeaders event = test::event_with_everything();
    event.tracestate.clear();
    EXPECT_EQ(written(event, HeaderForm::packed).size(), 2U);
}

TEST(HeaderForms, SayTheSame) {
    const EventHeaders event = test::event_with_everything();
    for (const HttpHeaders http : {HttpHeaders::read, HttpHeaders::left_out}) {
        const auto a = decode(headers_in(packed()), http);
        const auto b = decode(headers_in(written(event, HeaderForm::cloudevents)), http);
        EXPECT_EQ(a.value(), b.value());
    }
    EXPECT_EQ(decode(headers_in(packed())).value(), event);
}

TEST(HeaderForms, PackedCountsAboveWhatIsBesideIt) {
    EventHeaders other = test::event_with_everything();
    other.event_id = "evt_2";
    other.http = {{"y", "z"}};
    HeaderPairs headers = packed();
    for (const auto& pair : written(other, HeaderForm::cloudevents))
        if (!pair.first.starts_with("trace")) headers.insert(headers.begin(), pair);
    headers.emplace_back("ce_id", "");
    EXPECT_EQ(decode(headers_in(headers)).value(), test::event_with_everything());
}

TEST(HeaderForms, PackedIsThereOnce) {
    HeaderPairs headers = packed();
    headers.push_back(headers.front());
    EXPECT_FALSE(decode(headers_in(headers)));
    headers.back().second.clear();
    EXPECT_FALSE(decode(headers_in(headers)));
    HeaderPairs separate = written(test::event_with_everything(), HeaderForm::cloudevents);
    separate.emplace_back("sluice", "");
    EXPECT_FALSE(decode(headers_in(separate))) << "not taken as absent";
}

TEST(HeaderForms, PackedNeedsOneTraceparent) {
    HeaderPairs headers = packed();
    headers.push_back(headers[1]);
    EXPECT_FALSE(decode(headers_in(headers)));
    headers.pop_back();
    headers.emplace_back("tracestate", "other=1");
    EXPECT_EQ(decode(headers_in(headers)).value().tracestate, "vendor=1") << "the first counts";
    headers[1].second = "00-0";
    EXPECT_FALSE(decode(headers_in(headers)));
    headers.erase(headers.begin() + 1);
    EXPECT_FALSE(decode(headers_in(headers)));
}

TEST(HeaderForms, RequestHeadersAreFoundInEither) {
    for (const HeaderForm form : {HeaderForm::packed, HeaderForm::cloudevents}) {
        const HeaderPairs headers = written(test::event_with_everything(), form);
        const auto views = headers_in(headers);
        EXPECT_EQ(find_http(views, "http-stripe-signature").count, 1U);
        EXPECT_EQ(find_http(views, "http-stripe-signature").value, "t=1,v1=ab");
        EXPECT_EQ(find_http(views, "http-x").count, 2U);
        EXPECT_EQ(find_http(views, "http-y").count, 0U);
    }
}

TEST(HeaderForms, SeparatedIsWhatTheSeparateHeadersAre) {
    HeaderPairs headers = packed();
    headers.emplace_back("sluice-reconciled", "0123");
    headers.emplace_back("sluice-attempt", "7");
    HeaderPairs wanted = written(test::event_with_everything(), HeaderForm::cloudevents);
    wanted.insert(wanted.end(), headers.end() - 2, headers.end());
    EXPECT_EQ(separated(headers_in(headers)), wanted);
    EXPECT_EQ(separated(headers_in(wanted)), wanted) << "as they are";
    headers.front().second = "no message";
    EXPECT_EQ(separated(headers_in(headers)), headers) << "as they are";
}

}  // namespace
}  // namespace sluice::record
