#include "ctl/outbox/message_entry.hpp"

#include <format>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

std::vector<store::DeadLetterRow> entries_of(store::Connection& connection,
                                             const config::MysqlSettings& settings,
                                             const store::MessageRow& message,
                                             store::DeadLetterFilter::Which which) {
    store::DeadLetterFilter filter{.which = which, .kind = store::DeadLetterKind::message};
    filter.event_id = message.event_id;
    filter.topic = message.destination;
    constexpr std::int64_t most = 1000;
    auto entries = value_or_stop(store::list_dead_letters(connection, filter, most), settings, connection);
    std::erase_if(entries, [&](const auto& entry) { return entry.offset != message.id; });
    return entries;
}

store::MessageRow message_named(store::Connection& connection, const config::MysqlSettings& settings,
                                std::int64_t id) {
    auto message = value_or_stop(store::find_message(connection, id), settings, connection);
    if (!message)
        throw Stopped{Exit::no, std::format("there is no message {}: sluicectl outbox list shows them, with "
                                            "--all also those that were sent",
                                            id)};
    return std::move(*message);
}

}  // namespace sluice::ctl
