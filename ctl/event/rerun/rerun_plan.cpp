#include "ctl/event/rerun/rerun_plan.hpp"

#include <algorithm>
#include <format>

#include "common/joined.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/effects/effect/kept_headers.hpp"
#include "consumer/effects/effect_set/rerun.hpp"
#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t most_shown = 10;

/// What the event's record said of it; nullopt: nothing that can be read is archived.
std::optional<record::EventHeaders> kept_headers_of(const std::string& json) {
    const auto kept = effects::kept_headers(json);
    if (!kept) return std::nullopt;
    std::vector<record::HeaderView> views;
    for (const auto& [name, value] : *kept) views.push_back({name, value});
    auto headers = record::decode(views, record::HttpHeaders::left_out);
    return headers ? std::optional{std::move(*headers)} : std::nullopt;
}

std::string printable(const std::string& text) {
    return redact::without_control_bytes(text);
}

}  // namespace

void RerunPlan::look_at(const store::PastEvent& event) {
    if (!event.headers) return leave(event.erased ? "erased" : "no_payload");
    const auto headers = kept_headers_of(*event.headers);
    if (!headers) return leave("unreadable");
    const effects::Rerun rerun = effects::rerun_of(event.row, effects_.matching(*headers), effects_, only_);
    if (!rerun.why.empty()) return leave(rerun.why);
    const store::InboxRow& row = event.row;
    const std::string names = joined(rerun.effects, ", ");
    ++counts_[{names, row.type, row.source, row.status}];
    targets_.push_back({.key = row.key,
                        .object_key = row.object_key,
                        .topic = row.topic,
                        .partition = row.partition,
                        .offset = row.offset,
                        .received_at = row.received_at});
    show(row, names);
}

void RerunPlan::show(const store::InboxRow& row, const std::string& effects) {
    Shown shown{row.event_id, row.type, row.object_key, row.status, effects, row.received_at};
    const auto place = std::ranges::upper_bound(sample_, shown.received_at, {}, &Shown::received_at);
    sample_.insert(place, std::move(shown));
    if (sample_.size() > most_shown) sample_.pop_back();
}

void RerunPlan::close() {
    into_turns(targets_);
}

std::string RerunPlan::to_people() const {
    std::string text;
    if (!counts_.empty()) {
        Table counts{{"EFFECTS", "TYPE", "SOURCE", "NOW", "EVENTS"}};
        for (const auto& [group, count] : counts_) {
            const auto& [effects, type, source, status] = group;
            counts.row({effects, printable(type), source, std::string{store::name_of(status)},
                        std::to_string(count)});
        }
        Table sample{{"EVENT", "TYPE", "OBJECT", "NOW", "RECEIVED", "EFFECTS"}};
        for (const Shown& shown : sample_) {
            sample.row({printable(shown.event_id), printable(shown.type), printable(shown.object_key),
                        std::string{store::name_of(shown.status)}, to_rfc3339(shown.received_at),
                        shown.effects});
        }
        text = std::format("rerun {} {}, after what was applied to their objects before:\n\n{}\n{}:\n\n{}",
                           total(), total() == 1 ? "event" : "events", counts.text(),
                           total() > std::ssize(sample_) ? "the first of them" : "which are", sample.text());
    } else {
        text = "No events to rerun.\n";
    }
    const std::string left =
        joined(left_, ", ", [](const auto& one) { return std::format("{} {}", one.second, one.first); });
    return left.empty()
               ? text
               : text + "\nleft out: " + left + ". `sluicectl event rerun --help` says what each means\n";
}

Json RerunPlan::to_json() const {
    Json counts = Json::array();
    for (const auto& [group, count] : counts_) {
        const auto& [effects, type, source, status] = group;
        counts.push_back({{"effects", effects},
                          {"type", type},
                          {"source", source},
                          {"status", std::string{store::name_of(status)}},
                          {"count", count}});
    }
    Json left = Json::object();
    for (const auto& [why, count] : left_) left[why] = count;
    Json sample = Json::array();
    for (const Shown& shown : sample_) {
        sample.push_back({{"id", shown.event_id},
                          {"type", shown.type},
                          {"key", shown.object_key},
                          {"status", std::string{store::name_of(shown.status)}},
                          {"received_at", to_rfc3339(shown.received_at)},
                          {"effects", shown.effects}});
    }
    return {{"action", "rerun"},
            {"total", total()},
            {"counts", std::move(counts)},
            {"left_alone", std::move(left)},
            {"sample", std::move(sample)}};
}

}  // namespace sluice::ctl
