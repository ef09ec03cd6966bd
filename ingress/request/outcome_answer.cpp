#include "ingress/request/outcome_answer.hpp"

#include <format>
#include <utility>

#include "common/webhook/http/decision.hpp"

namespace sluice::ingress {
namespace {

struct Row {
    Outcome outcome;
    std::string_view name;
    webhook::Answer webhook::AnswerTable::* answer;
};

using enum Outcome;
using Table = webhook::AnswerTable;

constexpr auto table = std::to_array<Row>({
    {accepted, "accepted", &Table::success},
    {duplicate, "duplicate", &Table::success},
    {quarantined, "quarantined", &Table::success},
    {refused_signature, "refused_signature", &Table::bad_signature},
    {limited, "limited", &Table::limited},
    {too_large, "too_large", &Table::too_large},
    {too_large_for_topic, "too_large_for_topic", &Table::too_large},
    {not_acked, "not_acked", &Table::overloaded},
    {shed, "shed", &Table::overloaded},
    {unavailable, "unavailable", &Table::overloaded},
});
static_assert(table.size() == outcome_count);

/// Success is answered to authentic requests only, so nobody without a key learns from its word.
std::string more_fields(const Row& row, std::chrono::seconds limited_for) {
    if (row.outcome == limited) return std::format("Retry-After: {}\r\n", limited_for.count());
    if (row.answer == &Table::success) return std::format("{}: {}\r\n", webhook::decision_header, row.name);
    return row.answer == &Table::overloaded ? "Retry-After: 5\r\n" : "";
}

}  // namespace

std::string_view name_of(Outcome outcome) noexcept {
    return table[std::to_underlying(outcome)].name;
}

const webhook::Answer& answer_of(const webhook::AnswerTable& answers, Outcome outcome) noexcept {
    return answers.*table[std::to_underlying(outcome)].answer;
}

Outcome outcome_of(publish::Published published) noexcept {
    switch (published) {
        case publish::Published::stored:
        case publish::Published::spilled:
            return accepted;
        case publish::Published::not_acked:
            return not_acked;
        case publish::Published::shed:
            return shed;
        case publish::Published::too_large:
            return too_large_for_topic;
        case publish::Published::unavailable:
            break;
    }
    return unavailable;
}

PreparedAnswers::PreparedAnswers(const webhook::AnswerTable& answers, std::chrono::seconds limited_for) {
    for (const Row& row : table) {
        const std::string fields = more_fields(row, limited_for);
        for (const After after : {After::keep_open, After::close})
            bytes_[std::to_underlying(row.outcome)][static_cast<std::size_t>(after)] =
                gate::raw_response(answers.*row.answer, fields, after);
    }
}

std::string_view PreparedAnswers::of(Outcome outcome, After after) const noexcept {
    return bytes_[std::to_underlying(outcome)][static_cast<std::size_t>(after)];
}

}  // namespace sluice::ingress
