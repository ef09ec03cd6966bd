#include "common/trace/context.hpp"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

constexpr std::string_view given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Trace, GoesOnFromTheCaller) {
    const Context context = continue_trace(given, "vendor=1");
    EXPECT_EQ(context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_NE(context.span_id(), "00f067aa0ba902b7");
    EXPECT_EQ(context.parent_id(), "00f067aa0ba902b7");
    EXPECT_TRUE(context.sampled());
    EXPECT_EQ(context.state(), "vendor=1");
}

TEST(Trace, ReadsTheSampledFlagAlone) {
    const std::string head{given.substr(0, 53)};
    EXPECT_TRUE(continue_trace(head + "03", "").sampled());
    EXPECT_TRUE(continue_trace(head + "0b", "").sampled());
    EXPECT_FALSE(continue_trace(head + "02", "").sampled());
    EXPECT_FALSE(continue_trace(head + "0a", "").sampled());
    EXPECT_FALSE(continue_trace(head + "10", "").sampled());
}

TEST(Trace, WritesWhatItReads) {
    const std::string head = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-";
    for (const std::string& flags : {std::string{"-00"}, std::string{"-01"}}) {
        const Context context = continue_trace(head + "bbbbbbbbbbbbbbbb" + flags, "");
        EXPECT_EQ(context.traceparent(), head + std::string{context.span_id()} + flags);
    }
    EXPECT_TRUE(is_traceparent(continue_trace("", "").traceparent()));
}

TEST(Trace, TellsThoseBehindItThatItIsKept) {
    Context context = continue_trace("", "");
    EXPECT_TRUE(context.traceparent().ends_with("-00"));
    context.sample();
    EXPECT_TRUE(context.sampled());
    EXPECT_TRUE(context.traceparent().ends_with("-01"));
}

TEST(Trace, IsEmptyBeforeThereIsOne) {
    EXPECT_EQ(Context{}.traceparent(), "");
    EXPECT_EQ(Context{}.trace_id(), "");
    EXPECT_EQ(Context{}.parent_id(), "");
    EXPECT_FALSE(Context{}.sampled());
}

TEST(Trace, StartsANewOneWhereTheCallersIsMalformed) {
    using namespace std::string_literals;
    const std::string valid{given};
    for (const std::string& text :
         {""s, "x"s, valid.substr(0, 54), valid + "-", valid + "-00", "ff" + valid.substr(2),
          "0G" + valid.substr(2), "00-00000000000000000000000000000000-00f067aa0ba902b7-01"s,
          "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"s,
          "00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"s,
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x"s,
          "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"s,
          "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01"s,
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01"s, "01" + valid.substr(2) + "00"}) {
        EXPECT_FALSE(is_traceparent(text)) << text;
        const Context context = continue_trace(text, "vendor=1");
        EXPECT_NE(context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736") << text;
        EXPECT_TRUE(is_traceparent(context.traceparent())) << text;
        EXPECT_FALSE(context.sampled()) << text;
        EXPECT_EQ(context.state(), "") << text;
        EXPECT_EQ(context.parent_id(), "") << text;
    }
}

TEST(Trace, UnderstandsTheBeginOfLaterVersions) {
    const std::string later = "01" + std::string{given.substr(2)};
    EXPECT_EQ(continue_trace(later, "").trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(continue_trace(later + "-more", "").trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_TRUE(continue_trace(later, "").traceparent().starts_with("00-"));
}

TEST(Trace, DropsAStateThatIsLongOrNoText) {
    EXPECT_EQ(continue_trace(given, std::string(512, 'a')).state().size(), 512U);
    EXPECT_EQ(continue_trace(given, std::string(513, 'a')).state(), "");
    EXPECT_EQ(continue_trace(given, "a=\n").state(), "");
    EXPECT_EQ(continue_trace(given, "a=\xFF").state(), "");
}

TEST(Trace, IdsDiffer) {
    const Context one = continue_trace("", "");
    const Context two = continue_trace("", "");
    EXPECT_NE(one.trace_id(), two.trace_id());
    EXPECT_NE(one.span_id(), two.span_id());
}

}  // namespace
}  // namespace sluice::trace
