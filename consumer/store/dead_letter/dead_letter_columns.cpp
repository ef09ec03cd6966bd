#include "consumer/store/dead_letter/dead_letter_columns.hpp"

#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

bool is_null(const OwnedDatum& column) {
    return std::holds_alternative<std::nullptr_t>(column);
}

DeadLetterKind kind_column(const OwnedDatum& column) {
    return dead_letter_kind_from(text_column(column)).value_or(DeadLetterKind::newer);
}

std::optional<ClosedAs> closed_column(const OwnedDatum& column) {
    if (is_null(column)) return std::nullopt;
    return closed_as_from(text_column(column)).value_or(ClosedAs::newer);
}

std::optional<LanePlace> place_columns(const OwnedDatum& lane, const OwnedDatum& position) {
    if (is_null(lane)) return std::nullopt;
    return LanePlace{digest_column(lane), std::get<std::int64_t>(position)};
}

std::optional<crypto::Digest> maybe_digest(const OwnedDatum& column) {
    if (is_null(column)) return std::nullopt;
    return digest_column(column);
}

std::optional<std::string> maybe_bytes(const OwnedDatum& column) {
    if (is_null(column)) return std::nullopt;
    return text_column(column);
}

void read_identity(const Row& columns, DeadLetterRow& out) {
    out.id = std::get<std::int64_t>(columns.at(0));
    out.kind = kind_column(columns.at(1));
    out.place = place_columns(columns.at(2), columns.at(3));
    out.object_key = text_column(columns.at(4));
    out.source = text_column(columns.at(5));
    out.type = text_column(columns.at(6));
    out.event_id = text_column(columns.at(7));
    out.inbox = inbox_key_columns(columns.at(8), columns.at(9));
    out.content_digest = maybe_digest(columns.at(10));
}

void read_failure(const Row& columns, DeadLetterRow& out) {
    out.error_class = text_column(columns.at(11));
    out.error_text = text_column(columns.at(12));
    out.attempts = static_cast<int>(std::get<std::int64_t>(columns.at(13)));
    out.first_failed_at = std::get<WallTime>(columns.at(14));
    out.topic = text_column(columns.at(15));
    out.partition = static_cast<std::int32_t>(std::get<std::int64_t>(columns.at(16)));
    out.offset = std::get<std::int64_t>(columns.at(17));
}

void read_course(const Row& columns, DeadLetterRow& out) {
    out.seen_once = maybe_digest(columns.at(18));
    out.dlq_sent = std::get<std::int64_t>(columns.at(19)) != 0;
    out.opened_at = std::get<WallTime>(columns.at(20));
    out.closed_at = time_column(columns.at(21));
    out.closed_as = closed_column(columns.at(22));
    out.reference = text_column(columns.at(23));
    out.transaction = text_column(columns.at(24));
    out.first_died_at = std::get<WallTime>(columns.at(25));
}

}  // namespace

DeadLetterRow dead_letter_from(const Row& columns) {
    DeadLetterRow dead_letter;
    read_identity(columns, dead_letter);
    read_failure(columns, dead_letter);
    read_course(columns, dead_letter);
    return dead_letter;
}

DeadLetterRow whole_dead_letter_from(const Row& columns) {
    DeadLetterRow dead_letter = dead_letter_from(columns);
    dead_letter.headers = maybe_bytes(columns.at(26));
    dead_letter.body = maybe_bytes(columns.at(27));
    return dead_letter;
}

}  // namespace sluice::store
