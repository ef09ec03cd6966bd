#include "ingress/spill/frame.hpp"

#include <gtest/gtest.h>

namespace sluice::spill {
namespace {

constexpr Mark mark_of_digit(char digit) {
    Mark mark;
    mark.fill(digit);
    return mark;
}
constexpr Mark mark = mark_of_digit('1');
constexpr Mark other_mark = mark_of_digit('2');

std::string segment_of(std::initializer_list<std::string_view> payloads) {
    std::string bytes;
    for (const std::string_view payload : payloads) append_frame(bytes, mark, payload);
    return bytes;
}

std::vector<std::string> payloads_of(std::string_view segment) {
    std::vector<std::string> payloads;
    std::size_t at = 0;
    while (const auto frame = next_frame(segment, mark, at)) {
        payloads.emplace_back(frame->payload);
        at = frame->end;
    }
    return payloads;
}

using Payloads = std::vector<std::string>;

TEST(FrameTest, IsReadAsItWasWritten) {
    const std::string zeros(300, '\0');
    EXPECT_EQ(payloads_of(segment_of({"one", "", zeros})), (Payloads{"one", "", zeros}));
}

TEST(FrameTest, HeadHasTheMark) {
    EXPECT_EQ(segment_head(mark).size(), head_size);
    EXPECT_EQ(mark_of(segment_head(mark)), mark);
    EXPECT_EQ(mark_of(segment_head(mark).substr(1)), std::nullopt);
    EXPECT_EQ(mark_of(segment_head(mark).substr(0, head_size - 1)), std::nullopt);
}

TEST(FrameTest, NoPieceOfAFrameIsOne) {
    const std::string whole = segment_of({"payload"});
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(next_frame(std::string_view{whole}.substr(0, size), mark, 0)) << size;
}

TEST(FrameTest, OneWrongBitLosesOneFrame) {
    const std::string first = segment_of({"first"});
    for (std::size_t at = 0; at < first.size(); ++at) {
        std::string segment = first + segment_of({"second"});
        segment[at] = static_cast<char>(segment[at] ^ 0x10);
        EXPECT_EQ(payloads_of(segment), Payloads{"second"}) << at;
    }
}

TEST(FrameTest, IsTornWhereItEndsEarly) {
    const std::string whole = segment_of({"payload"});
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_TRUE(is_torn(std::string_view{whole}.substr(0, size), mark)) << size;
    EXPECT_TRUE(is_torn(std::string(100, '\0'), mark)) << "never synced";
    std::string wrong = whole;
    wrong.back() = '?';
    EXPECT_FALSE(is_torn(wrong, mark));
}

TEST(FrameTest, WhatABodyHoldsIsNeverAFrame) {
    std::string forged;
    append_frame(forged, other_mark, "forged");
    std::string segment = segment_of({"before " + forged + " behind"});
    segment.back() = '?';
    EXPECT_EQ(payloads_of(segment), Payloads{});
}

}  // namespace
}  // namespace sluice::spill
