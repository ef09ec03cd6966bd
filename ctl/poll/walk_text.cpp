#include "ctl/poll/walk_text.hpp"

#include <format>

#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

Json time_or_null(const std::optional<WallTime>& time) {
    return time ? Json(to_rfc3339(*time)) : Json(nullptr);
}

Json to_json(const store::ListedWalk& walk) {
    return {{"source", walk.source},
            {"provider", walk.provider},
            {"principal", walk.principal},
            {"at_id", text_or_null(walk.at_id)},
            {"complete_until", to_rfc3339(walk.complete_until)},
            {"moved_at", time_or_null(walk.moved_at)},
            {"is_leased", walk.is_leased},
            {"gap_from", walk.gap ? Json(to_rfc3339(walk.gap->from)) : Json(nullptr)},
            {"gap_until", walk.gap ? Json(to_rfc3339(walk.gap->until)) : Json(nullptr)},
            {"operator", text_or_null(walk.operator_name)},
            {"reason", text_or_null(walk.reason)}};
}

std::string note_of(const store::ListedWalk& walk) {
    std::string note;
    if (walk.gap) note = "gap: what was created from " + text_of(*walk.gap) + " may be missing";
    if (walk.operator_name.empty()) return note;
    if (!note.empty()) note += "; ";
    return note + std::format("last changed by {}: {}", walk.operator_name, walk.reason);
}

}  // namespace

std::string text_of(const store::WalkGap& gap) {
    return short_time(gap.from) + " to " + short_time(gap.until);
}

Json to_json(const std::vector<store::ListedWalk>& walks) {
    Json list = Json::array();
    for (const auto& walk : walks) list.push_back(to_json(walk));
    return {{"walks", std::move(list)}};
}

std::string to_people(const std::vector<store::ListedWalk>& walks, WallTime now) {
    if (walks.empty()) return "No list was read so far.\n";
    Table table{{"SOURCE", "PROVIDER", "PRINCIPAL", "COMPLETE UNTIL", "BEHIND", "LEASE", "AT"}};
    for (const auto& walk : walks) {
        table.row({walk.source, walk.provider, walk.principal, short_time(walk.complete_until),
                   age_text(now - walk.complete_until), walk.is_leased ? "held" : "free",
                   walk.at_id.empty() ? "by time" : walk.at_id});
        table.note(note_of(walk));
    }
    return table.text();
}

}  // namespace sluice::ctl
