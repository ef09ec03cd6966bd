#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/outbox/outbox_list.hpp"
#include "ctl/cli/json.hpp"

/// Messages of the outbox in words; pure.
namespace sluice::ctl {

[[nodiscard]] Json to_json(const store::MessageRow& message);
[[nodiscard]] Json to_json(const store::MessageCount& count);

/// "sent", "refused", "waiting", or "waiting, again in 12s" where an attempt has failed.
[[nodiscard]] std::string standing_text(const store::MessageRow& message, WallTime now);

[[nodiscard]] std::string messages_table(const std::vector<store::MessageRow>& messages, WallTime now);
[[nodiscard]] std::string counts_table(const std::vector<store::MessageCount>& counts, WallTime now);
/// One message, line by line, with its body masked where it is there.
[[nodiscard]] std::string to_people(const store::MessageRow& message, WallTime now);

}  // namespace sluice::ctl
