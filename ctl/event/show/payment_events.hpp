#pragma once

#include <string>
#include <vector>

#include "consumer/store/inbox/inbox.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// The events of one payment in the forms that `event show --reference` answers with, in their order. Pure.
/// What errors say is masked.
[[nodiscard]] Json payment_events_json(const std::vector<store::InboxRow>& events);
/// A row for each, with the whole reason below where it has one; "" for none.
[[nodiscard]] std::string payment_events_text(const std::vector<store::InboxRow>& events);

}  // namespace sluice::ctl
