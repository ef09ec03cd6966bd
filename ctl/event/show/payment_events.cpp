#include "ctl/event/show/payment_events.hpp"

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/number_options.hpp"

namespace sluice::ctl {
namespace {

Json event_json(const store::InboxRow& row) {
    Json json{{"id", row.event_id},
              {"type", row.type},
              {"status", std::string{store::name_of(row.status)}},
              {"source", row.source},
              {"key", row.object_key},
              {"received_at", to_rfc3339(row.received_at)},
              {"finished_at", row.finished_at ? Json(to_rfc3339(*row.finished_at)) : Json(nullptr)},
              {"error_class", text_or_null(row.error_class)},
              {"error_text", text_or_null(redact::masked_text(row.error_text))}};
    add_numbers(json, row.reference, row.transaction);
    return json;
}

std::string reason_of(const store::InboxRow& row) {
    if (row.error_class.empty()) return {};
    return row.error_class + (row.error_text.empty() ? "" : ": " + redact::masked_text(row.error_text));
}

}  // namespace

Json payment_events_json(const std::vector<store::InboxRow>& events) {
    Json all = Json::array();
    for (const auto& row : events) all.push_back(event_json(row));
    return all;
}

std::string payment_events_text(const std::vector<store::InboxRow>& events) {
    if (events.empty()) return {};
    Table table{{"RECEIVED", "EVENT", "TYPE", "SOURCE", "STATUS", "REFERENCE", "TRANSACTION"}};
    for (const auto& row : events) {
        table.row({short_time(row.received_at), row.event_id, row.type, row.source,
                   std::string{store::name_of(row.status)}, row.reference, row.transaction});
        table.note(reason_of(row));
    }
    return table.text();
}

}  // namespace sluice::ctl
