#include "consumer/command/command_record.hpp"

#include <algorithm>
#include <chrono>

#include <google/protobuf/stubs/logging.h>

#include "common/time_text.hpp"
#include "proto/command.pb.h"

namespace sluice::command {
namespace {

constexpr std::size_t max_approval = 8 * 1024;
constexpr std::string_view undated_text = "undated";
constexpr std::int64_t first_second = -62'135'596'800;  // of the year 1, as Timestamp has it
constexpr std::int64_t last_second = 253'402'300'799;   // of the year 9999

std::string bytes_of_id(const store::ActionId& id) {
    return {id.begin(), id.end()};
}

/// False when `from` is not as long as `to`.
bool copy_exactly(std::string_view from, auto& to) {
    if (from.size() != to.size()) return false;
    std::ranges::copy(from, to.begin());
    return true;
}

void write_event(const store::InboxKey& key, v1::EventIdentity& out) {
    const bool is_undated = key.event_day == record::undated;
    out.set_event_day(is_undated ? std::string{undated_text} : to_text(key.event_day));
    out.set_dedup_key(std::string{crypto::as_text(key.dedup_key)});
}

void write_time(WallTime time, google::protobuf::Timestamp& out) {
    const auto second = std::chrono::floor<std::chrono::seconds>(time);
    out.set_seconds(second.time_since_epoch().count());
    out.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds{time - second}.count()));
}

void write_action(const Command& command, v1::Command& out) {
    switch (command.action) {
        case store::ActionKind::retry:
            out.mutable_retry()->set_unverified(command.unverified);
            break;
        case store::ActionKind::skip:
            out.mutable_skip();
            break;
        case store::ActionKind::edit:
            out.mutable_edit()->set_body_sha256(std::string{crypto::as_text(command.edit->sha256)});
            out.mutable_edit()->set_inline_(command.edit->bytes);
            break;
        case store::ActionKind::close:
            out.mutable_close();
            break;
        case store::ActionKind::rerun:
            out.mutable_rerun()->set_effect(command.effect);
            out.mutable_rerun()->set_unverified(command.unverified);
            break;
        case store::ActionKind::newer:
            break;  // no order
    }
}

v1::Command message_of(const Command& command) {
    v1::Command out;
    out.set_id(bytes_of_id(command.id));
    if (command.run) out.set_run(bytes_of_id(*command.run));
    out.set_object_key(command.object_key);
    if (command.event) write_event(*command.event, *out.mutable_event());
    out.set_dead_letter(command.dead_letter.value_or(0));
    out.set_operator_(command.operator_name);
    out.set_reason(command.reason);
    out.set_host(command.host);
    out.set_database_user(command.database_user);
    write_time(command.requested_at, *out.mutable_requested_at());
    write_action(command, out);
    return out;
}

std::optional<Flaw> read_ids(const v1::Command& from, Command& to) {
    if (!copy_exactly(from.id(), to.id)) return Flaw::no_id;
    if (from.run().empty()) return std::nullopt;
    if (!copy_exactly(from.run(), to.run.emplace())) return Flaw::no_id;
    return std::nullopt;
}

std::optional<Flaw> read_target(const v1::Command& from, Command& to) {
    to.object_key = from.object_key();
    if (from.dead_letter() != 0) to.dead_letter = from.dead_letter();
    if (!from.has_event()) return std::nullopt;
    auto& key = to.event.emplace();
    if (!copy_exactly(from.event().dedup_key(), key.dedup_key)) return Flaw::malformed_event;
    if (from.event().event_day() == undated_text) return std::nullopt;
    const auto day = day_from_text(from.event().event_day());
    if (!day) return Flaw::malformed_event;
    key.event_day = *day;
    return std::nullopt;
}

std::optional<WallTime> time_of(const google::protobuf::Timestamp& time) {
    if (time.seconds() < first_second || time.seconds() > last_second || time.nanos() < 0 ||
        time.nanos() > 999'999'999) {
        return std::nullopt;
    }
    return WallTime{std::chrono::seconds{time.seconds()} + std::chrono::microseconds{time.nanos() / 1000}};
}

std::optional<Flaw> read_time(const v1::Command& from, Command& to) {
    const auto time = from.has_requested_at() ? time_of(from.requested_at()) : std::nullopt;
    if (!time) return Flaw::malformed_time;
    to.requested_at = *time;
    return std::nullopt;
}

void read_words(const v1::Command& from, Command& to) {
    to.operator_name = from.operator_();
    to.reason = from.reason();
    to.host = from.host();
    to.database_user = from.database_user();
}

std::optional<Flaw> read_edit(const v1::Edit& from, Command& to) {
    to.action = store::ActionKind::edit;
    auto& edit = to.edit.emplace();
    if (from.body_case() != v1::Edit::kInline) return Flaw::no_body;
    if (!copy_exactly(from.body_sha256(), edit.sha256)) return Flaw::no_body;
    edit.bytes = from.inline_();
    return std::nullopt;
}

std::optional<Flaw> read_action(const v1::Command& from, Command& to) {
    switch (from.action_case()) {
        case v1::Command::kRetry:
            to.action = store::ActionKind::retry;
            to.unverified = from.retry().unverified();
            return std::nullopt;
        case v1::Command::kSkip:
            to.action = store::ActionKind::skip;
            return std::nullopt;
        case v1::Command::kEdit:
            return read_edit(from.edit(), to);
        case v1::Command::kClose:
            to.action = store::ActionKind::close;
            return std::nullopt;
        case v1::Command::kRerun:
            to.action = store::ActionKind::rerun;
            to.effect = from.rerun().effect();
            to.unverified = from.rerun().unverified();
            return std::nullopt;
        case v1::Command::ACTION_NOT_SET:
            break;
    }
    return Flaw::unknown_action;
}

std::optional<Flaw> read_message(const v1::Command& from, Command& to) {
    read_words(from, to);
    for (const auto read : {read_action, read_ids, read_target, read_time}) {
        if (const auto flaw = read(from, to)) return flaw;
    }
    return flaw_in(to);
}

}  // namespace

std::expected<std::string, Flaw> encode(const Command& command) {
    if (const auto flaw = flaw_in(command)) return std::unexpected{*flaw};
    const google::protobuf::LogSilencer no_lines_on_stderr;
    std::string record = message_of(command).SerializeAsString();
    const auto back = decode(record);
    if (!back) return std::unexpected{back.error()};
    return record;
}

std::expected<Command, Flaw> decode(std::string_view record) {
    if (record.size() > max_record) return std::unexpected{Flaw::too_large};
    const google::protobuf::LogSilencer no_lines_on_stderr;  // which is the log's, one JSON object a line
    v1::Command message;
    if (!message.ParseFromString(std::string{record})) return std::unexpected{Flaw::unreadable};
    Command command;
    if (const auto flaw = read_message(message, command)) return std::unexpected{*flaw};
    return command;
}

std::expected<std::string, Flaw> encode_approval(const Approval& approval) {
    if (const auto flaw = flaw_in(approval)) return std::unexpected{*flaw};
    const google::protobuf::LogSilencer no_lines_on_stderr;
    v1::Approval message;
    message.set_operator_(approval.operator_name);
    message.set_reason(approval.reason);
    write_time(approval.approved_at, *message.mutable_approved_at());
    std::string bytes = message.SerializeAsString();
    const auto back = decode_approval(bytes);
    if (!back) return std::unexpected{back.error()};
    return bytes;
}

std::expected<Approval, Flaw> decode_approval(std::string_view bytes) {
    if (bytes.size() > max_approval) return std::unexpected{Flaw::too_large};
    const google::protobuf::LogSilencer no_lines_on_stderr;
    v1::Approval message;
    if (!message.ParseFromString(std::string{bytes})) return std::unexpected{Flaw::unreadable};
    const auto time = message.has_approved_at() ? time_of(message.approved_at()) : std::nullopt;
    if (!time) return std::unexpected{Flaw::malformed_time};
    Approval approval{.operator_name = message.operator_(), .reason = message.reason(), .approved_at = *time};
    if (const auto flaw = flaw_in(approval)) return std::unexpected{*flaw};
    return approval;
}

}  // namespace sluice::command
