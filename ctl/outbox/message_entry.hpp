#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/outbox/outbox_list.hpp"

namespace sluice::ctl {

/// The entries of a message, one for each time that it was refused, oldest first. Throws Stopped.
[[nodiscard]] std::vector<store::DeadLetterRow> entries_of(store::Connection& connection,
                                                           const config::MysqlSettings& settings,
                                                           const store::MessageRow& message,
                                                           store::DeadLetterFilter::Which which);

/// By its id or its idempotency key in hex. Throws Stopped(no) where there is no such message,
/// Stopped(usage) for any other text.
[[nodiscard]] store::MessageRow message_named(store::Connection& connection,
                                              const config::MysqlSettings& settings, const std::string& name);

/// Throws Stopped(no) for a name that neither the file has nor a message which is not finished; says which
/// there are.
void refuse_unknown_destination(const std::string& name, const config::Document& document,
                                store::Connection& connection, const config::MysqlSettings& settings);

}  // namespace sluice::ctl
