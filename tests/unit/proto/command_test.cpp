#include "proto/command.pb.h"

#include <string>

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "tests/unit/proto/descriptor_text.hpp"

namespace sluice::v1 {
namespace {

using google::protobuf::util::MessageDifferencer;

Command sample() {
    Command command;
    command.set_id(std::string("\x01\x9a\xb0\0\0\0\x70\0\x80\0\0\0\0\0\0\x01", 16));
    command.set_object_key("stripe/acct_main/pi_1");
    command.mutable_event()->set_event_day("2026-11-21");
    command.mutable_event()->set_dedup_key(std::string(32, '\x7f'));
    command.set_operator_("ada");
    command.set_reason("the wallet row was missing");
    command.set_host("bastion-1");
    command.set_database_user("oncall");
    command.mutable_requested_at()->set_seconds(1'795'287'802);
    return command;
}

Command there_and_back(const Command& command) {
    Command back;
    EXPECT_TRUE(back.ParseFromString(command.SerializeAsString()));
    return back;
}

TEST(Command, GoesThereAndBackWithEachAction) {
    auto retry = sample();
    retry.mutable_retry();
    auto skip = sample();
    skip.mutable_skip();
    auto edit = sample();
    edit.mutable_edit()->set_body_sha256(std::string(32, '\x01'));
    edit.mutable_edit()->set_inline_("{}");
    auto stored = sample();
    stored.mutable_edit()->mutable_stored_at()->set_offset(7);
    auto close = sample();
    close.mutable_close();
    for (const auto* const command : {&retry, &skip, &edit, &stored, &close}) {
        EXPECT_TRUE(MessageDifferencer::Equals(there_and_back(*command), *command));
    }
    EXPECT_EQ(there_and_back(retry).action_case(), Command::kRetry);
    EXPECT_EQ(there_and_back(skip).action_case(), Command::kSkip);
    EXPECT_EQ(there_and_back(edit).action_case(), Command::kEdit);
}

TEST(Command, HasOneActionAtMost) {
    auto command = sample();
    command.mutable_retry();
    command.mutable_skip();
    EXPECT_FALSE(command.has_retry());
    EXPECT_EQ(there_and_back(command).action_case(), Command::kSkip);
}

TEST(Command, ActionOfALaterVersionReadsAsNoneAndIsKept) {
    Command command;
    ASSERT_TRUE(command.ParseFromString(sample().SerializeAsString() + from_the_future));
    EXPECT_EQ(command.action_case(), Command::ACTION_NOT_SET);
    EXPECT_TRUE(command.SerializeAsString().ends_with(from_the_future));
}

// Field numbers are the wire format: a change here breaks readers of older records.
TEST(Command, FieldNumbersNeverChange) {
    const std::map<int, std::string> command{
        {1, "bytes id"},
        {2, "bytes object_key"},
        {3, "EventIdentity event"},
        {4, "string operator"},
        {5, "string reason"},
        {6, "string host"},
        {7, "string database_user"},
        {8, "Timestamp requested_at"},
        {9, "bytes run"},
        {10, "int64 dead_letter"},
        {16, "Retry retry"},
        {17, "Skip skip"},
        {18, "Edit edit"},
        {19, "Close close"},
        {20, "Rerun rerun"},
    };
    EXPECT_EQ(fields_of(*Command::descriptor()), command);
    const std::map<int, std::string> identity{{1, "string event_day"}, {2, "bytes dedup_key"}};
    EXPECT_EQ(fields_of(*EventIdentity::descriptor()), identity);
    const std::map<int, std::string> edit{
        {1, "bytes body_sha256"}, {2, "bytes inline"}, {3, "RecordCoordinates stored_at"}};
    EXPECT_EQ(fields_of(*Edit::descriptor()), edit);
    const std::map<int, std::string> rerun{{1, "string effect"}, {2, "bool unverified"}};
    EXPECT_EQ(fields_of(*Rerun::descriptor()), rerun);
}

}  // namespace
}  // namespace sluice::v1
