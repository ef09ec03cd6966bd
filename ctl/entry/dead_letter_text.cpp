#include "ctl/entry/dead_letter_text.hpp"

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/number_options.hpp"

namespace sluice::ctl {
namespace {

Json lane_json(const store::DeadLetterRow& dead_letter) {
    if (!dead_letter.place) return nullptr;
    return {{"lane_key", crypto::to_hex(dead_letter.place->lane)}, {"position", dead_letter.place->position}};
}

Json inbox_json(const store::DeadLetterRow& dead_letter) {
    if (!dead_letter.inbox) return nullptr;
    return {{"event_day", sluice::to_text(dead_letter.inbox->event_day)},
            {"dedup_key", crypto::to_hex(dead_letter.inbox->dedup_key)}};
}

}  // namespace

Json to_json(const store::DeadLetterRow& dead_letter) {
    Json json{{"id", dead_letter.id},
              {"kind", std::string{store::name_of(dead_letter.kind)}},
              {"event_id", dead_letter.event_id},
              {"type", dead_letter.type},
              {"source", dead_letter.source},
              {"object_key", dead_letter.object_key},
              {"error_class", dead_letter.error_class},
              {"error_text", redact::masked_text(dead_letter.error_text)},
              {"attempts", dead_letter.attempts},
              {"first_failed_at", to_rfc3339(dead_letter.first_failed_at)},
              {"opened_at", to_rfc3339(dead_letter.opened_at)},
              {"first_died_at", to_rfc3339(dead_letter.first_died_at)},
              {"closed_at", dead_letter.closed_at ? Json(to_rfc3339(*dead_letter.closed_at)) : Json(nullptr)},
              {"closed_as", dead_letter.closed_as ? Json(std::string{store::name_of(*dead_letter.closed_as)})
                                                  : Json(nullptr)},
              {"dlq_sent", dead_letter.dlq_sent},
              {"topic", dead_letter.topic},
              {"partition", dead_letter.partition},
              {"offset", dead_letter.offset},
              {"lane", lane_json(dead_letter)},
              {"inbox", inbox_json(dead_letter)}};
    add_numbers(json, dead_letter.reference, dead_letter.transaction);
    return json;
}

Json to_json(const store::DeadLetterCount& count) {
    return {{"error_class", count.error_class},
            {"source", count.source},
            {"kind", std::string{store::name_of(count.kind)}},
            {"count", count.count},
            {"oldest", to_rfc3339(count.oldest)}};
}

std::string message_text(const store::DeadLetterRow& dead_letter) {
    return std::format("message {} to {}", dead_letter.offset, dead_letter.topic);
}

std::string dead_letters_table(const std::vector<store::DeadLetterRow>& dead_letters, WallTime now) {
    if (dead_letters.empty()) return {};
    Table table{{"ID", "EVENT", "TYPE", "OBJECT", "CLASS", "TRIES", "AGE", "STATE"}};
    for (const auto& dead_letter : dead_letters) {
        table.row({std::to_string(dead_letter.id), dead_letter.event_id, dead_letter.type,
                   dead_letter.object_key, dead_letter.error_class, std::to_string(dead_letter.attempts),
                   age_text(now - dead_letter.first_died_at), course_text(dead_letter)});
        const std::string why = redact::without_control_bytes(redact::masked_text(dead_letter.error_text));
        table.note(dead_letter.kind == store::DeadLetterKind::message ? message_text(dead_letter) + ": " + why
                                                                      : why);
    }
    return table.text();
}

std::string counts_table(const std::vector<store::DeadLetterCount>& counts, WallTime now) {
    Table table{{"CLASS", "SOURCE", "KIND", "ENTRIES", "OLDEST"}};
    for (const auto& count : counts) {
        table.row({count.error_class, count.source, std::string{store::name_of(count.kind)},
                   std::to_string(count.count), age_text(now - count.oldest)});
    }
    return table.text();
}

std::int64_t total_of(const std::vector<store::DeadLetterCount>& counts) {
    std::int64_t total = 0;
    for (const auto& count : counts) total += count.count;
    return total;
}

std::string course_text(const store::DeadLetterRow& dead_letter) {
    if (dead_letter.is_open()) return "open";
    return dead_letter.closed_as ? std::string{store::name_of(*dead_letter.closed_as)} : "closed";
}

}  // namespace sluice::ctl
