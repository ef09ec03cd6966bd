#include "consumer/command/command_record.hpp"

#include <random>

#include <gtest/gtest.h>

#include "proto/command.pb.h"
#include "tests/unit/consumer/command/sample.hpp"

namespace sluice::command {
namespace {

using store::ActionKind;

std::vector<Command> samples() {
    std::vector<Command> all{sample_command(), sample_edit(std::string{"{\0}", 3})};
    for (const auto action : {ActionKind::skip, ActionKind::close}) {
        all.push_back(sample_command());
        all.back().action = action;
    }
    all.push_back(sample_command());
    all.back().event->event_day = record::undated;
    all.back().run.reset();
    for (const auto* effect : {"", "credit-wallet"}) {
        all.push_back(sample_command());
        all.back().action = ActionKind::rerun;
        all.back().dead_letter.reset();
        all.back().effect = effect;
        all.back().unverified = *effect == '\0';
    }
    all.push_back(sample_command());
    all.back().event.reset();
    all.back().object_key.clear();
    return all;
}

v1::Command message() {
    v1::Command message;
    EXPECT_TRUE(message.ParseFromString(encode(sample_command()).value()));
    return message;
}

Flaw flaw_of(const v1::Command& message) {
    const auto command = decode(message.SerializeAsString());
    EXPECT_FALSE(command);
    return command ? Flaw{} : command.error();
}

TEST(CommandRecord, GoesThereAndBack) {
    for (const auto& command : samples()) {
        const auto record = encode(command);
        ASSERT_TRUE(record) << name_of(record.error());
        const auto back = decode(*record);
        ASSERT_TRUE(back) << name_of(back.error());
        EXPECT_EQ(*back, command);
    }
}

TEST(CommandRecord, IsNotWrittenWhereItWouldBeRefused) {
    auto command = sample_command();
    command.reason.clear();
    EXPECT_EQ(encode(command).error(), Flaw::no_reason);
    command.reason = "\xff";
    EXPECT_EQ(encode(command).error(), Flaw::unreadable);
    command = sample_command();
    command.requested_at = WallTime::max();
    EXPECT_EQ(encode(command).error(), Flaw::malformed_time);
}

TEST(CommandRecord, ActionOfALaterVersionIsRefusedAndOtherFieldsArePassedOver) {
    auto later = message();
    later.clear_action();
    const std::string action_99{"\x9a\x06\x00", 3};
    EXPECT_EQ(decode(later.SerializeAsString() + action_99).error(), Flaw::unknown_action);
    EXPECT_EQ(decode(message().SerializeAsString() + action_99), sample_command());
}

TEST(CommandRecord, SaysWhatIsMissingOrMalformed) {
    auto one = message();
    one.set_id("short");
    EXPECT_EQ(flaw_of(one), Flaw::no_id);
    one = message();
    one.set_run("short");
    EXPECT_EQ(flaw_of(one), Flaw::no_id);
    one = message();
    one.mutable_event()->set_event_day("2026-02-30");
    EXPECT_EQ(flaw_of(one), Flaw::malformed_event);
    one = message();
    one.mutable_event()->clear_dedup_key();
    EXPECT_EQ(flaw_of(one), Flaw::malformed_event);
    one = message();
    one.mutable_requested_at()->set_nanos(-1);
    EXPECT_EQ(flaw_of(one), Flaw::malformed_time);
    one = message();
    one.clear_requested_at();
    EXPECT_EQ(flaw_of(one), Flaw::malformed_time);
    one = message();
    one.mutable_edit()->mutable_stored_at()->set_offset(7);
    EXPECT_EQ(flaw_of(one), Flaw::no_body);
}

TEST(CommandRecord, IsNotReadBeyondItsSize) {
    EXPECT_EQ(decode(std::string(max_record + 1, '\0')).error(), Flaw::too_large);
    EXPECT_EQ(decode("").error(), Flaw::unknown_action);
    EXPECT_EQ(decode("\xff\xff").error(), Flaw::unreadable);
}

TEST(CommandRecord, AnyBytesAreACommandThatCanBeWrittenOrAreRefused) {
    std::mt19937 dice{6};
    const auto all = samples();
    const auto pick = [&](std::size_t below) { return dice() % below; };
    int accepted = 0;
    for (int i = 0; i < 50'000; ++i) {
        std::string record = encode(all[pick(all.size())]).value();
        for (auto edits = 1 + pick(4); edits > 0 && !record.empty(); --edits) {
            const auto at = pick(record.size());
            if (pick(4) == 0)
                record.erase(at, pick(8));
            else if (pick(3) == 0)
                record.insert(at, record.substr(pick(record.size()), pick(8)));
            else
                record[at] = static_cast<char>(dice());
        }
        const auto command = decode(record);
        if (!command) continue;
        ++accepted;
        EXPECT_EQ(decode(encode(*command).value()), *command);
    }
    EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace sluice::command
