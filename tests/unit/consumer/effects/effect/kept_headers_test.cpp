#include "consumer/effects/effect/kept_headers.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace sluice::effects {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(KeptHeaders, AreThePairsInTheirOrder) {
    EXPECT_EQ(kept_headers(R"([["ce_id","evt_1"],["x","say \"hi\"\u2028"],["x",""]])"),
              (Pairs{{"ce_id", "evt_1"}, {"x", "say \"hi\"\xe2\x80\xa8"}, {"x", ""}}));
    EXPECT_EQ(kept_headers("[]"), Pairs{});
}

TEST(KeptHeaders, AreNothingElse) {
    for (const auto* text : {"", "{}", "[[\"a\"]]", "[[\"a\",1]]", "[\"a\"]", "[[\"a\",\"b\"]", "null"})
        EXPECT_EQ(kept_headers(text).error(), errc::unreadable_body) << text;
}

}  // namespace
}  // namespace sluice::effects
