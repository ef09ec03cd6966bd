#include "ctl/erase/still_waiting.hpp"

#include <format>

#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/lane/lane_list.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/entry/history.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t most_named = 10;

StillWaiting waiting_event(const store::LaneEventRow& event, const std::string& object_key) {
    const bool is_dead = event.row.status == lane::Status::dead;
    return {.what = event.event_id.empty() ? std::format("position {}", event.row.position)
                                           : "event " + event.event_id,
            .standing = standing_text(event),
            .ends_with = is_dead ? "its entry" : "its turn: sluicectl lane show " + object_key};
}

StillWaiting waiting_entry(const store::DeadLetterRow& dead_letter) {
    const bool is_skipped = dead_letter.place || dead_letter.kind == store::DeadLetterKind::message;
    return {.what = std::format("entry {}", dead_letter.id),
            .standing = std::string{store::name_of(dead_letter.kind)} + ", " + dead_letter.error_class,
            .ends_with = dead_letter.kind == store::DeadLetterKind::conflict
                             ? std::format("sluicectl dlq close {}", dead_letter.id)
                             : std::format("sluicectl dlq retry {0}, or dlq {1} {0}", dead_letter.id,
                                           is_skipped ? "skip" : "close")};
}

}  // namespace

std::vector<StillWaiting> still_waiting(store::Connection& connection, const config::MysqlSettings& settings,
                                        const std::string& object_key) {
    std::vector<StillWaiting> waiting;
    const auto events = value_or_stop(
        store::list_events(connection, store::lane_key_of(object_key), most_named), settings, connection);
    for (const auto& event : events) waiting.push_back(waiting_event(event, object_key));
    store::DeadLetterFilter filter;
    filter.object_key = object_key;
    const auto dead_letters =
        value_or_stop(store::list_dead_letters(connection, filter, most_named), settings, connection);
    for (const auto& dead_letter : dead_letters) waiting.push_back(waiting_entry(dead_letter));
    return waiting;
}

}  // namespace sluice::ctl
