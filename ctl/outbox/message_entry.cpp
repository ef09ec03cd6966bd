#include "ctl/outbox/message_entry.hpp"

#include <algorithm>
#include <charconv>
#include <format>

#include "common/config/nearest_key.hpp"
#include "common/crypto/encoding.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/store/outbox/outbox.hpp"
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
                                const std::string& name) {
    const auto key = crypto::digest_from_hex(name, true);
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    const bool is_id = error == std::errc{} && end == name.data() + name.size();
    if (!key && !is_id)
        throw Stopped{Exit::usage,
                      "a message is named by its id or its idempotency key, which has 64 hexadecimal digits"};
    auto message =
        value_or_stop(key ? store::find_message(connection, *key) : store::find_message(connection, id),
                      settings, connection);
    if (!message)
        throw Stopped{Exit::no, std::format("there is no message {}: sluicectl outbox list shows them, with "
                                            "--all also those that were sent",
                                            name)};
    return std::move(*message);
}

void refuse_unknown_destination(const std::string& name, const config::Document& document,
                                store::Connection& connection, const config::MysqlSettings& settings) {
    auto known = destination::destination_names(document).all;
    for (auto& other : value_or_stop(store::unfinished_destinations(connection), settings, connection))
        if (!std::ranges::contains(known, other)) known.push_back(std::move(other));
    if (std::ranges::contains(known, name)) return;
    const std::string which =
        known.empty() ? "the file has none, and no message waits" : config::hint(name, known, "there are: ");
    throw Stopped{Exit::no, "there is no destination '" + name + "': " + which};
}

}  // namespace sluice::ctl
