#include "ctl/erase/erase_plan.hpp"

#include <algorithm>
#include <format>
#include <set>

#include "common/joined.hpp"
#include "common/redact/payload.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/topics/topic_plan.hpp"

namespace sluice::ctl {
namespace {

struct GoesLine {
    std::string table;
    std::string what;
    std::int64_t rows = 0;
};

std::vector<GoesLine> what_goes(const store::Erasable& found) {
    return {{"event_payload", "archived requests, headers and body", found.payloads},
            {"inbox", "error texts, order and transaction numbers", found.inbox_rows},
            {"outbox", "messages of its events, counted by event", found.with_messages},
            {"dead_letter", "headers, bodies, error texts and these numbers", std::ssize(found.dead_letters)},
            {"operator_action", "reasons of operators", std::ssize(found.actions)},
            {"callback", "headers and bodies of its duplicates", found.callbacks}};
}

std::string days_text(std::chrono::days days) {
    return std::format("{}d", days.count());
}

void add_own_tables(const ErasePlan& plan, std::vector<StaysLine>& lines) {
    const auto& found = plan.found;
    const std::string keep = days_text(plan.inbox.keep);
    const std::string keep_closed = days_text(plan.inbox.keep_closed);
    lines.push_back(
        {std::format("inbox, {} rows", found.known_events),
         "the object's key; for each event its id, type, times, effects and a hash of its content",
         "without the row a redelivery would be applied again; deleted after inbox.keep (" + keep + ")"});
    lines.push_back({"undated_key", "for undated events, hashes of the id and the content",
                     std::format("the same, after their inbox row is deleted; {}",
                                 plan.inbox.keep_undated ? "deleted after inbox.keep_undated (" +
                                                               days_text(*plan.inbox.keep_undated) + ")"
                                                         : "stays")});
    lines.push_back({std::format("dead_letter, {} rows", found.known_dead_letters),
                     "the object's key, event ids, error classes, times",
                     "what happened to the events; deleted after inbox.keep_closed (" + keep_closed + ")"});
    lines.push_back({std::format("operator_action, {} rows", found.known_actions),
                     "the object's key, who did what and when, for an edit a hash of the body",
                     "who let money move; deleted after inbox.keep_closed (" + keep_closed + ")"});
    lines.push_back(
        {"callback", "the object's key; for each request its time, client and answer, and its event",
         "what a provider sent; deleted after callbacks.keep. Duplicates that are still on their way "
         "to it through Kafka are recorded later: erase again then. Requests that were refused or unreadable "
         "belong to no object: their bodies, masked, stay as long"});
    lines.push_back({"lane", "the object's key", "deleted a day after its last event"});
    lines.push_back({"erasure", "a hash of the object's key; who erased, when, why, how many rows",
                     "says why requests are missing; deleted after inbox.keep_closed (" + keep_closed + ")"});
    if (found.nobodys > 0)
        lines.push_back({std::format("dead_letter, {} rows", found.nobodys),
                         "requests that could not be read, with their bodies",
                         "sluice cannot tell whose they are: sluicectl dlq list --kind unreadable --all, dlq "
                         "close ID, erase --entry ID; otherwise deleted inbox.keep (" +
                             keep + ") after they are closed"});
}

void add_effects(const ErasePlan& plan, const effects::EffectSet& effects, std::vector<StaysLine>& lines) {
    for (const auto& [name, events] : plan.found.had) {
        const auto* effect = effects.find(name);
        const auto tables = effect == nullptr ? std::vector<std::string>{} : effect->tables();
        const std::set<std::string> once{tables.begin(), tables.end()};
        lines.push_back({once.empty() ? "tables of effect " + name : joined(once, ", "),
                         std::format("what effect {} wrote for {} events", name, events),
                         "yours: sluice does not know which rows belong to the person"});
    }
    if (plan.found.had_unknown > 0)
        lines.push_back({"tables of effects",
                         std::format("what {} events wrote: it is not recorded", plan.found.had_unknown),
                         "yours: the effects of these events were not recorded"});
}

void add_other_servers(const ErasePlan& plan, std::vector<StaysLine>& lines) {
    for (const auto& topic : plan.topics) {
        const std::string retention =
            topic.retention_ms ? retention_text(*topic.retention_ms) : "unknown: Kafka did not say";
        lines.push_back({"Kafka " + topic.name, topic.holds,
                         "Kafka cannot delete one record; retention is " + retention});
    }
    lines.push_back({"Redis", "hashes of event ids",
                     "no personal data; they expire after the ingress's redis.ttl (72h by default)"});
    lines.push_back({"backups, binary logs", "what the tables contained", "yours: see their retention"});
}

}  // namespace

std::vector<StaysLine> what_stays(const ErasePlan& plan, const effects::EffectSet& effects) {
    std::vector<StaysLine> lines;
    add_own_tables(plan, lines);
    add_effects(plan, effects, lines);
    add_other_servers(plan, lines);
    return lines;
}

std::string to_people(const std::vector<StillWaiting>& waiting) {
    if (waiting.empty()) return {};
    Table table{{"WAITS", "STANDING", "ENDS WITH"}};
    for (const auto& one : waiting)
        table.row({redact::without_control_bytes(one.what), one.standing,
                   redact::without_control_bytes(one.ends_with)});
    return "Events of this object still need their request, so nothing is erased until they are "
           "finished:\n\n" +
           table.text();
}

std::string to_people(const ErasePlan& plan, const std::vector<StaysLine>& stays) {
    Table goes{{"TABLE", "WHAT GOES", "ROWS"}};
    for (const auto& line : what_goes(plan.found))
        goes.row({line.table, line.what, std::to_string(line.rows)});
    Table stay{{"WHAT STAYS", "HOLDS", "WHY, AND UNTIL WHEN"}};
    for (const auto& line : stays)
        stay.row({redact::without_control_bytes(line.where), line.holds, line.why});
    const std::string waiting = to_people(plan.waiting);
    return "object " + redact::without_control_bytes(plan.object_key) + "\n\n" + goes.text() + "\n" +
           stay.text() + (waiting.empty() ? "" : "\n" + waiting);
}

Json to_json(const ErasePlan& plan, const std::vector<StaysLine>& stays) {
    Json goes = Json::array();
    for (const auto& line : what_goes(plan.found))
        goes.push_back({{"table", line.table}, {"what", line.what}, {"rows", line.rows}});
    Json stay = Json::array();
    for (const auto& line : stays)
        stay.push_back({{"where", line.where}, {"holds", line.holds}, {"why", line.why}});
    Json waiting = Json::array();
    for (const auto& one : plan.waiting)
        waiting.push_back({{"what", one.what}, {"standing", one.standing}, {"ends_with", one.ends_with}});
    return {{"object", plan.object_key},
            {"goes", std::move(goes)},
            {"stays", std::move(stay)},
            {"waiting", std::move(waiting)}};
}

}  // namespace sluice::ctl
