#include "ctl/entry/read_trouble.hpp"

#include <algorithm>

#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/cli/database.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t many_entries = 1000;  // of one event: each is a death

/// Entries without an inbox row are known by source and id alone.
bool is_of(const store::DeadLetterRow& dead_letter, const store::InboxRow& event) {
    return dead_letter.inbox ? *dead_letter.inbox == event.key : dead_letter.source == event.source;
}

void add_actions(std::vector<store::ActionRow>& all, std::vector<store::ActionRow> more) {
    for (auto& action : more) {
        if (!std::ranges::contains(all, action.id, &store::ActionRow::id)) all.push_back(std::move(action));
    }
}

void read_place(store::Connection& connection, const config::MysqlSettings& settings,
                const store::LanePlace& place, Trouble& trouble) {
    trouble.lane = value_or_stop(store::find_lane(connection, place.lane), settings, connection);
    auto rows = value_or_stop(store::list_events(connection, place.lane, 1, place.position - 1), settings,
                              connection);
    if (!rows.empty() && rows.front().row.position == place.position) trouble.row = std::move(rows.front());
}

}  // namespace

Trouble trouble_of_event(store::Connection& connection, const config::MysqlSettings& settings,
                         const store::InboxRow& event) {
    Trouble trouble;
    const auto lane = store::lane_key_of(event.object_key);
    trouble.lane = value_or_stop(store::find_lane(connection, lane), settings, connection);
    trouble.row = value_or_stop(store::find_event_row(connection, lane, event.key), settings, connection);
    store::DeadLetterFilter filter{.which = store::DeadLetterFilter::Which::any};
    filter.event_id = event.event_id;
    trouble.dead_letters =
        value_or_stop(store::list_dead_letters(connection, filter, many_entries), settings, connection);
    std::erase_if(trouble.dead_letters, [&](const auto& dead_letter) { return !is_of(dead_letter, event); });
    trouble.actions = value_or_stop(store::actions_of_event(connection, event.key), settings, connection);
    for (const auto& dead_letter : trouble.dead_letters) {
        add_actions(trouble.actions, value_or_stop(store::actions_of_dead_letter(connection, dead_letter.id),
                                                   settings, connection));
    }
    return trouble;
}

Trouble trouble_of_dead_letter(store::Connection& connection, const config::MysqlSettings& settings,
                               const store::DeadLetterRow& dead_letter) {
    if (dead_letter.inbox && store::is_of_an_event(dead_letter.kind)) {
        const auto event = value_or_stop(store::find(connection, *dead_letter.inbox), settings, connection);
        if (event) return trouble_of_event(connection, settings, *event);
    }
    Trouble trouble;
    trouble.dead_letters.push_back(dead_letter);
    trouble.actions =
        value_or_stop(store::actions_of_dead_letter(connection, dead_letter.id), settings, connection);
    if (dead_letter.place) read_place(connection, settings, *dead_letter.place, trouble);
    return trouble;
}

}  // namespace sluice::ctl
