#include "ctl/lane/lane_text.hpp"

#include <format>

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/history.hpp"

namespace sluice::ctl {
namespace {

std::string age_since(const std::optional<WallTime>& since, WallTime now) {
    return since ? age_text(now - *since) : "";
}

std::string counts_text(const std::vector<store::LaneCount>& counts, WallTime now) {
    Table table{{"STATE", "LANES", "EVENTS", "OLDEST"}};
    for (const auto& count : counts) {
        table.row({std::string{lane::name_of(count.state)}, std::to_string(count.lanes),
                   std::to_string(count.events), age_since(count.oldest, now)});
    }
    return table.text();
}

/// A wakeup takes some seconds; after this time no process is handling it.
constexpr std::chrono::minutes late{1};

bool is_overdue(const lane::Wakeup& wakeup, WallTime now) {
    return wakeup.due && *wakeup.due + late < now;
}

std::string next_text(const lane::Wakeup& wakeup, WallTime now) {
    if (!wakeup.due) return "an operator";
    return short_time(*wakeup.due) + (is_overdue(wakeup, now) ? ", overdue" : "");
}

std::string wake_text(const lane::Wakeup& wakeup, WallTime now) {
    if (!wakeup.due) return "nothing waits for a time";
    return "next at " + next_text(wakeup, now) +
           (is_overdue(wakeup, now) ? ": check that the retry role runs" : "") +
           (wakeup.sent ? "" : ", its wakeup is owed");
}

std::string row_error(const store::LaneEventRow& event) {
    const std::string text = redact::masked_text(event.error_text);
    return event.error_class + (text.empty() ? "" : ": " + text);
}

}  // namespace

Json to_json(const std::vector<store::LaneCount>& counts, const std::vector<store::LaneSummary>& lanes) {
    Json by_state = Json::array();
    for (const auto& count : counts) {
        by_state.push_back({{"state", std::string{lane::name_of(count.state)}},
                            {"lanes", count.lanes},
                            {"events", count.events},
                            {"oldest", count.oldest ? Json(to_rfc3339(*count.oldest)) : Json(nullptr)}});
    }
    Json all = Json::array();
    for (const auto& lane : lanes) all.push_back(to_json(lane));
    return {{"counts", std::move(by_state)}, {"lanes", std::move(all)}};
}

std::string to_people(const std::vector<store::LaneCount>& counts,
                      const std::vector<store::LaneSummary>& lanes, WallTime now) {
    if (counts.empty()) return "No lanes: every event that arrived is finished or on its way.\n";
    Table table{{"KEY", "STATE", "EVENTS", "WAITS", "CLASS", "NEXT"}};
    for (const auto& lane : lanes) {
        table.row({lane.object_key, std::string{lane::name_of(lane.state)}, std::to_string(lane.unfinished),
                   age_since(lane.since, now), lane.error_class, next_text(lane.wakeup, now)});
    }
    return counts_text(counts, now) + (lanes.empty() ? "" : "\n" + table.text());
}

Json to_json(const store::LaneSummary& lane, const std::vector<store::LaneEventRow>& events) {
    Json rows = Json::array();
    for (const auto& event : events) rows.push_back(to_json(event));
    return {{"object_key", lane.object_key}, {"lane", to_json(lane)}, {"events", std::move(rows)}};
}

std::string to_people(const store::LaneSummary& lane, const std::vector<store::LaneEventRow>& events,
                      WallTime now) {
    std::string head = std::format(
        "key       {}\nstate     {}\nevents    {} unfinished{}\nwakeup    {}\n",
        redact::without_control_bytes(lane.object_key), lane::name_of(lane.state), lane.unfinished,
        lane.since ? ", the first for " + age_since(lane.since, now) : "", wake_text(lane.wakeup, now));
    if (events.empty()) return head;
    Table table{{"POSITION", "EVENT", "TYPE", "WAITS", "STANDING"}};
    for (const auto& event : events) {
        table.row({std::to_string(event.row.position), event.event_id, event.type,
                   age_since(event.appended_at, now), standing_text(event)});
        table.note(row_error(event));
    }
    return head + "\n" + table.text();
}

}  // namespace sluice::ctl
