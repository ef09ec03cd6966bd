#pragma once

#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/outbox/outbox_list.hpp"

namespace sluice::ctl {

/// The entries of a message, one for each time that it was refused, oldest first. Throws Stopped.
[[nodiscard]] std::vector<store::DeadLetterRow> entries_of(store::Connection& connection,
                                                           const config::MysqlSettings& settings,
                                                           const store::MessageRow& message,
                                                           store::DeadLetterFilter::Which which);

/// Throws Stopped(no) where there is no such message.
[[nodiscard]] store::MessageRow message_named(store::Connection& connection,
                                              const config::MysqlSettings& settings, std::int64_t id);

}  // namespace sluice::ctl
