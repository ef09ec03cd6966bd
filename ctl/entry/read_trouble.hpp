#pragma once

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "ctl/entry/history.hpp"

namespace sluice::ctl {

/// What stands in the tables of lanes, dead letters and actions about one event. Throws Stopped.
[[nodiscard]] Trouble trouble_of_event(store::Connection& connection, const config::MysqlSettings& settings,
                                       const store::InboxRow& event);
/// The same for an entry, with its event's where it has one.
[[nodiscard]] Trouble trouble_of_dead_letter(store::Connection& connection,
                                             const config::MysqlSettings& settings,
                                             const store::DeadLetterRow& dead_letter);

}  // namespace sluice::ctl
