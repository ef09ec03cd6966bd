#include "poller/reconcile/report.hpp"

#include <algorithm>
#include <format>
#include <ranges>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/crypto/random.hpp"
#include "common/printable.hpp"
#include "common/time_text.hpp"

namespace sluice::poller {
namespace {

using Json = nlohmann::ordered_json;

constexpr int something_missing = 1;
constexpr int not_all_compared = 3;
constexpr std::size_t most_for_people = 50;
constexpr const char* why_before_first =
    "    No listed event was received here before they were created, so they are injected only with\n"
    "    --before-first. Is the key this account's, and was it served here by then? Or --from may begin\n"
    "    earlier.\n";
constexpr const char* unknown_time = "-                   ";

std::string seconds_text(WallTime time) {
    return to_rfc3339(time).substr(0, 19) + "Z";
}

/// What comes from outside cannot draw on the terminal.
std::string harmless(std::string text) {
    std::ranges::replace_if(text, [](char c) { return !is_printable(c); }, '?');
    return text;
}

std::string line_of(std::string_view what, std::int64_t count) {
    return std::format("  {:<22}{:>10}\n", what, count);
}

void add_events(std::string& text, std::string_view heading, const std::vector<ReportedEvent>& events,
                std::int64_t all) {
    if (events.empty()) return;
    text += std::format("\n{}\n", heading);
    for (const ReportedEvent& event : events | std::views::take(most_for_people))
        text += std::format("  {}  {}  {}  {}\n", event.created ? seconds_text(*event.created) : unknown_time,
                            event.state, event.id, harmless(event.type));
    const auto shown = static_cast<std::int64_t>(std::min(events.size(), most_for_people));
    if (all > shown) text += std::format("  and {} more\n", all - shown);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

Json events_json(const std::vector<ReportedEvent>& events) {
    Json list = Json::array();
    for (const ReportedEvent& event : events)
        list.push_back({{"id", event.id},
                        {"type", event.type},
                        {"created", event.created ? Json(seconds_text(*event.created)) : Json(nullptr)},
                        {"state", event.state}});
    return list;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

Report report_of(const webhook::Source& source) {
    Report report;
    report.id = crypto::random_hex(reconciliation_id_bytes);
    report.source = source.name;
    report.account = source.provider + "/" + source.principal;
    return report;
}

int exit_status(const Report& report) {
    if (!report.broken_off.empty()) return not_all_compared;
    if (report.counts.missing > 0) return something_missing;
    return not_judged(report) > 0 ? not_all_compared : 0;
}

void list_in(std::vector<ReportedEvent>& events, ReportedEvent event) {
    if (events.size() < Report::most_events) events.push_back(std::move(event));
}

std::string to_people(const Report& report) {
    const auto& counts = report.counts;
    std::string text =
        std::format("reconciliation {} of {} ({})\n", report.id, report.source, report.account);
    if (report.window)
        text += std::format("created from {} to {}\n", seconds_text(report.window->from),
                            seconds_text(report.window->until));
    if (!report.types.empty()) text += "types  " + joined(report.types) + "\n";
    for (const std::string& why : report.cuts) text += "  " + why + "\n";
    text += line_of("listed", counts.listed) + line_of("missing here", counts.missing);
    if (report.applies) text += line_of("  injected", counts.injected);
    if (report.before_first > 0)
        text += line_of("  before the first", report.before_first) + why_before_first;
    text += line_of("here, not applied", counts.not_applied);
    if (counts.not_there)
        text += std::format("  {:<22}{:>10} (of {} whole days)\n", "here, not listed", *counts.not_there,
                            report.days_compared);
    else
        text += std::format("  {:<22}not compared: {}\n", "here, not listed", report.why_not_compared);
    if (report.too_old > 0) text += line_of("too old to be judged", report.too_old);
    if (report.unreadable > 0) text += line_of("unreadable", report.unreadable);
    add_events(text, "missing here", report.missing, counts.missing);
    add_events(text, "here, not applied", report.not_applied, counts.not_applied);
    add_events(text, "here, not listed", report.not_there, counts.not_there.value_or(0));
    if (!report.broken_off.empty()) text += "\nnot finished: " + report.broken_off + "\n";
    return text;
}

std::string to_json(const Report& report) {
    const auto& counts = report.counts;
    const Json json{{"reconciliation", report.id},
                    {"source", report.source},
                    {"account", report.account},
                    {"from", report.window ? Json(seconds_text(report.window->from)) : Json(nullptr)},
                    {"until", report.window ? Json(seconds_text(report.window->until)) : Json(nullptr)},
                    {"types", report.types},
                    {"cuts", report.cuts},
                    {"applies", report.applies},
                    {"finished", report.broken_off.empty()},
                    {"broken_off", text_or_null(report.broken_off)},
                    {"listed", counts.listed},
                    {"missing", counts.missing},
                    {"injected", counts.injected},
                    {"before_first", report.before_first},
                    {"not_applied", counts.not_applied},
                    {"not_there", counts.not_there ? Json(*counts.not_there) : Json(nullptr)},
                    {"days_compared", report.days_compared},
                    {"why_not_compared", text_or_null(report.why_not_compared)},
                    {"too_old", report.too_old},
                    {"unreadable", report.unreadable},
                    {"events",
                     {{"missing", events_json(report.missing)},
                      {"not_applied", events_json(report.not_applied)},
                      {"not_there", events_json(report.not_there)}}}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::poller
