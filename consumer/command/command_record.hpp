#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "consumer/command/command.hpp"

/// A command as the value of a record of kafka.command_topic. Pure, and safe for any bytes: who may write to
/// the topic is the broker's affair, what stands in it is not trusted here.
namespace sluice::command {

/// Beyond it a record is refused unread.
inline constexpr std::size_t max_record = max_edited_body + 64 * 1024;

/// What `decode` would refuse is not written.
[[nodiscard]] std::expected<std::string, Flaw> encode(const Command& command);

/// Fields that this program does not know are passed over; an action that it does not know is not.
[[nodiscard]] std::expected<Command, Flaw> decode(std::string_view record);

/// The same for what the second operator says, in a header of the record.
[[nodiscard]] std::expected<std::string, Flaw> encode_approval(const Approval& approval);
[[nodiscard]] std::expected<Approval, Flaw> decode_approval(std::string_view bytes);

}  // namespace sluice::command
