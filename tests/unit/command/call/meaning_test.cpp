#include "command/call/meaning.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

using How = Exchanged::How;
using State = CallEnd::State;

const CallDefinition service{.not_executed = {429, 503}};
const CallQuery query{.url = "http://service/:key", .found = {200}, .absent = {404}};

Exchanged answered(int status) {
    return {.how = How::answered, .response = {.status = status, .body = "said"}};
}

TEST(CallMeaning, SuccessesAndRefusalsAreFirstResponses) {
    for (const int status : {200, 201, 299, 400, 409, 422}) {
        const auto end = meaning_of(answered(status), service);
        ASSERT_TRUE(end) << status;
        EXPECT_EQ(end->state, State::done);
        EXPECT_EQ(end->response.status, status);
        EXPECT_EQ(end->response.body, "said");
    }
}

TEST(CallMeaning, WhatIsDeclaredSoWasNotDone) {
    for (const int status : {429, 503})
        EXPECT_EQ(meaning_of(answered(status), service)->state, State::failed);
}

TEST(CallMeaning, WhatWasNotSentWasNotDone) {
    EXPECT_EQ(meaning_of(Exchanged{.how = How::not_sent}, service)->state, State::failed);
}

TEST(CallMeaning, AnythingElseMayHaveBeenDone) {
    EXPECT_FALSE(meaning_of(Exchanged{}, service));
    for (const int status : {302, 500, 502, 504})
        EXPECT_FALSE(meaning_of(answered(status), service)) << status;
}

TEST(CallMeaning, WhatIsStillGoingOnIsNoResponse) {
    for (const int status : {408, 425}) EXPECT_FALSE(meaning_of(answered(status), service)) << status;
    const CallDefinition patient{.unknown = {202, 409}};
    for (const int status : {202, 409}) EXPECT_FALSE(meaning_of(answered(status), patient)) << status;
}

TEST(CallMeaning, AQueryTellsOnlyByItsStatuses) {
    EXPECT_EQ(meaning_of(answered(200), query)->state, State::done);
    EXPECT_EQ(meaning_of(answered(200), query)->response.body, "said");
    EXPECT_EQ(meaning_of(answered(404), query)->state, State::failed);
    for (const int status : {202, 204, 400, 410, 429, 500}) EXPECT_FALSE(meaning_of(answered(status), query));
    EXPECT_FALSE(meaning_of(Exchanged{.how = How::not_sent}, query)) << "of the query, not of the call";
    EXPECT_FALSE(meaning_of(Exchanged{}, query));
}

}  // namespace
}  // namespace sluice::command
