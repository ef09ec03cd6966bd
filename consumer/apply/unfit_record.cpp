#include "consumer/apply/unfit_record.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/record/header_bytes.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

store::DeadLetter dead_letter_of(const UnfitRecord& record, const ObjectKey& object,
                                 const store::DeadLetterRecord& stored, WallTime now) {
    const Item& item = record.item;
    return {.kind = record.kind,
            .place = std::nullopt,
            .object_key = object,
            .source = item.event.source,
            .type = item.event.type,
            .event_id = item.event.event_id,
            .inbox = inbox_key(item),
            .content_digest = item.event.content_digest,
            .error_class = store::name_of(record.kind),
            .error_text = record.reason,
            .attempts = std::max(item.failures.attempts, 1),
            .first_failed_at = now,
            .topic = record.topic,
            .partition = item.record.at.partition,
            .offset = item.record.at.offset,
            .record = stored,
            .reference = item.payment ? std::string_view{item.payment->reference} : "",
            .transaction = item.payment ? std::string_view{item.payment->transaction} : ""};
}

Result<Entry> entry_of(const store::DeadLetterRecord& record, store::Connection& connection) {
    const auto there = store::find_dead_letter_of_record(connection, record.seen_once);
    if (!there) return Failure{there.error()};
    if (!*there) return Failure{errc::unlisted_row_count};  // it was there a moment ago
    return Entry{.id = (*there)->id};
}

}  // namespace

crypto::Digest seen_once(std::string_view topic_id, const Record& record) {
    std::string place = std::string{topic_id} + '/' + std::to_string(record.at.partition) + '/' +
                        std::to_string(record.at.offset);
    if (record.leader_epoch >= 0) place += '/' + std::to_string(record.leader_epoch);
    return crypto::sha256(place);
}

Result<Entry> open_entry(const UnfitRecord& record, store::Connection& connection, WallTime now) {
    const std::string headers = record::header_bytes(record.item.record.headers).value_or("");
    const ObjectKey object{record.item.record};
    const store::DeadLetterRecord stored{.seen_once = seen_once(record.topic_id, record.item.record),
                                         .headers = headers,
                                         .body = record.item.record.value};
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto opened = store::open_dead_letter(connection, dead_letter_of(record, object, stored, now), now);
    if (!opened) return Failure{opened.error()};
    if (!*opened) return entry_of(stored, connection);
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return Entry{.id = **opened, .is_new = true};
}

}  // namespace sluice::consumer
