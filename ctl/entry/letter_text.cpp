#include "ctl/entry/letter_text.hpp"

#include "common/crypto/encoding.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/redact/payload.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t shown_of_an_error = 60;

std::string in_a_cell(std::string_view text) {
    const std::string whole = without_control_bytes(masked_text(text));
    if (whole.size() <= shown_of_an_error) return whole;
    return without_control_bytes(whole.substr(0, shown_of_an_error - 3)) + "...";
}

Json lane_json(const store::LetterRow& letter) {
    if (!letter.place) return nullptr;
    return {{"lane_key", crypto::to_hex(letter.place->lane)}, {"position", letter.place->position}};
}

Json inbox_json(const store::LetterRow& letter) {
    if (!letter.inbox) return nullptr;
    return {{"event_day", sluice::to_text(letter.inbox->event_day)},
            {"dedup_key", crypto::to_hex(letter.inbox->dedup_key)}};
}

}  // namespace

Json to_json(const store::LetterRow& letter) {
    return {{"id", letter.id},
            {"kind", std::string{store::name_of(letter.kind)}},
            {"event_id", letter.event_id},
            {"type", letter.type},
            {"source", letter.source},
            {"object_key", letter.object_key},
            {"error_class", letter.error_class},
            {"error_text", masked_text(letter.error_text)},
            {"attempts", letter.attempts},
            {"first_failed_at", to_rfc3339(letter.first_failed_at)},
            {"opened_at", to_rfc3339(letter.opened_at)},
            {"closed_at", letter.closed_at ? Json(to_rfc3339(*letter.closed_at)) : Json(nullptr)},
            {"closed_as",
             letter.closed_as ? Json(std::string{store::name_of(*letter.closed_as)}) : Json(nullptr)},
            {"dlq_sent", letter.dlq_sent},
            {"topic", letter.topic},
            {"partition", letter.partition},
            {"offset", letter.offset},
            {"lane", lane_json(letter)},
            {"inbox", inbox_json(letter)}};
}

Json to_json(const store::LetterCount& count) {
    return {{"error_class", count.error_class},
            {"source", count.source},
            {"kind", std::string{store::name_of(count.kind)}},
            {"count", count.count},
            {"oldest", to_rfc3339(count.oldest)}};
}

std::string letters_table(const std::vector<store::LetterRow>& letters, WallTime now) {
    if (letters.empty()) return {};
    Table table{{"ID", "EVENT", "TYPE", "OBJECT", "CLASS", "TRIES", "AGE", "STATE", "ERROR"}};
    for (const auto& letter : letters) {
        table.row({std::to_string(letter.id), letter.event_id, letter.type, letter.object_key,
                   letter.error_class, std::to_string(letter.attempts), age_text(now - letter.opened_at),
                   course_text(letter), in_a_cell(letter.error_text)});
    }
    return table.text();
}

std::string counts_table(const std::vector<store::LetterCount>& counts, WallTime now) {
    Table table{{"CLASS", "SOURCE", "KIND", "ENTRIES", "OLDEST"}};
    for (const auto& count : counts) {
        table.row({count.error_class, count.source, std::string{store::name_of(count.kind)},
                   std::to_string(count.count), age_text(now - count.oldest)});
    }
    return table.text();
}

std::int64_t total_of(const std::vector<store::LetterCount>& counts) {
    std::int64_t total = 0;
    for (const auto& count : counts) total += count.count;
    return total;
}

std::string course_text(const store::LetterRow& letter) {
    if (letter.is_open()) return "open";
    return letter.closed_as ? std::string{store::name_of(*letter.closed_as)} : "closed";
}

}  // namespace sluice::ctl
