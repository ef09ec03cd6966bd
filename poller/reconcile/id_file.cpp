#include "poller/reconcile/id_file.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "common/config/problems.hpp"
#include "common/printable.hpp"
#include "common/record/event_record.hpp"
#include "poller/list/event_list.hpp"
#include "poller/reconcile/broken_off.hpp"

namespace sluice::poller {
namespace {

constexpr std::size_t ids_of_a_question = 250;  // two keys each

std::string_view trimmed_line(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool is_event_id(std::string_view text) {
    return text.size() <= longest_id && is_printable(text) && !text.contains(' ');
}

store::InboxKey key_of_mode(const webhook::Source& source, const std::string& id, bool livemode) {
    return {record::undated, record::dedup_key(source.provider, source.principal, livemode, id)};
}

}  // namespace

std::vector<std::string> read_ids(std::istream& in) {
    std::vector<std::string> ids;
    std::unordered_set<std::string> seen;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::string id{trimmed_line(line)};
        if (id.empty()) continue;
        if (!is_event_id(id))
            throw config::Refused{"--file: line " + std::to_string(number) + " is no id of an event"};
        if (seen.insert(id).second) ids.push_back(id);
    }
    if (ids.empty()) throw config::Refused{"--file: there is no id in it"};
    return ids;
}

IdComparison::IdComparison(const webhook::Source& source, Books& books)
    : source_{source}, books_{books}, report_{report_of(source)} {
    report_.why_not_compared = "a file says nothing of other events";
}

Report IdComparison::run(const std::vector<std::string>& ids, const std::stop_token& stop) {
    try {
        books_.begin(start_of(report_.id, source_, store::ReconciliationKind::file));
        for (const auto part : ids | std::views::chunk(ids_of_a_question)) {
            if (stop.stop_requested()) throw BrokenOff{"it was stopped"};
            compare(part);
            books_.so_far(report_.id, report_.counts);
        }
        books_.ended(report_.id, report_.counts);
    } catch (const BrokenOff& why) {
        report_.broken_off = why.what();
    }
    return std::move(report_);
}

void IdComparison::compare(std::span<const std::string> ids) {
    std::vector<crypto::Digest> keys;
    for (const std::string& id : ids)
        for (const bool livemode : {true, false})
            keys.push_back(key_of_mode(source_, id, livemode).dedup_key);
    std::map<std::string, store::InboxRow> found;
    for (store::InboxRow& row : books_.on_any_day(keys)) found.insert_or_assign(row.event_id, std::move(row));
    std::vector<std::string> not_found;
    for (const std::string& id : ids) {
        const auto row = found.find(id);
        if (row == found.end()) not_found.push_back(id);
        if (row == found.end() || !store::is_unfinished(row->second.status)) continue;
        ++report_.counts.not_applied;
        list_in(report_.not_applied, {id, row->second.type, row->second.key.event_day,
                                      std::string{store::name_of(row->second.status)}});
    }
    report_.counts.listed += static_cast<std::int64_t>(ids.size());
    missing(not_found);
}

/// Of undated events the inbox may remember no more than the key.
void IdComparison::missing(std::span<const std::string> ids) {
    std::vector<store::InboxKey> keys;
    for (const std::string& id : ids)
        for (const bool livemode : {true, false}) keys.push_back(key_of_mode(source_, id, livemode));
    const auto remembered = books_.remembered(keys);
    std::vector<store::MissingRow> rows;
    for (const std::string& id : ids) {
        const auto live = key_of_mode(source_, id, true);
        const auto test = key_of_mode(source_, id, false);
        const auto is_one = [&](const store::KnownEvent& event) {
            return event.key == live || event.key == test;
        };
        if (std::ranges::any_of(remembered, is_one)) continue;
        ++report_.counts.missing;
        if (report_.missing.size() == Report::most_events) continue;
        list_in(report_.missing, {id, {}, std::nullopt, "missing"});
        rows.push_back({live, id, {}, std::nullopt});
    }
    books_.missing(report_.id, rows);
}

}  // namespace sluice::poller
