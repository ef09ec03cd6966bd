#pragma once

namespace sluice::config {

/// `command.topic`, for commands of hot accounts, where the file does not say it.
inline constexpr const char* default_hot_topic = "sluice.commands";

}  // namespace sluice::config
