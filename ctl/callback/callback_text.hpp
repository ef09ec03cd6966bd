#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/store/callback/callback_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// What people call a row: 20261130-e3-1207, or 20261130-c0-17.4 in a batch: its day, the log (e: the webhook
/// topic, c: the topic of callbacks) with the partition, the offset and the number within the record.
[[nodiscard]] std::string callback_id(const store::ListedCallback& callback);
/// nullopt: no such name.
[[nodiscard]] std::optional<std::pair<std::chrono::sys_days, store::CallbackPlace>> callback_named(
    std::string_view id);

[[nodiscard]] std::string callbacks_table(const std::vector<store::ListedCallback>& callbacks);
/// Those of one event, without what they share.
[[nodiscard]] std::string requests_table(const std::vector<store::ListedCallback>& callbacks);
/// All of one, with what was kept of the request.
[[nodiscard]] std::string callback_text(const store::ListedCallback& callback);
[[nodiscard]] Json callback_json(const store::ListedCallback& callback);
/// With what was kept of the request.
[[nodiscard]] Json whole_callback_json(const store::ListedCallback& callback);

}  // namespace sluice::ctl
