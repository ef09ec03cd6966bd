#include "consumer/lane/run/owed_records.hpp"

#include <algorithm>
#include <string>

#include "common/failpoint.hpp"
#include "consumer/lane/rules/retry_delays.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "consumer/lane/run/wakeup_record.hpp"
#include "consumer/publish/dlq_record.hpp"
#include "consumer/publish/record_refusal.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

/// The record of a dead letter: its own copy, or the one in the lane. Without either (it was deleted) the
/// dead letter still says what is known.
Result<store::StoredRecord> record_of(store::Connection& connection,
                                      const store::DeadLetterRow& dead_letter) {
    if (dead_letter.place) {
        auto stored = store::read_record(connection, dead_letter.place->lane, dead_letter.place->position);
        if (!stored) return Failure{stored.error()};
        if (*stored) return std::move(**stored);
    }
    return store::StoredRecord{.topic = dead_letter.topic,
                               .partition = dead_letter.partition,
                               .offset = dead_letter.offset,
                               .appended_at = dead_letter.first_failed_at,
                               .headers = dead_letter.headers.value_or(""),
                               .body = dead_letter.body.value_or("")};
}

}  // namespace

Result<OwedRecords::Sent> OwedRecords::send_wakeup(store::Connection& connection, const store::LaneKey& key,
                                                   std::string_view object_key, const lane::Wakeup& wakeup) {
    if (FP("consumer.before_wakeup")) return Sent::not_taken;
    if (!publish_wakeup(object_key, wakeup.gen, wakeup.due.value_or(WallTime{}))) return Sent::not_taken;
    (void)FP("consumer.after_wakeup");
    context_.decisions.wakeup("produced");
    if (auto marked = store::mark_wakeup(connection, key, wakeup.gen); !marked)
        return Failure{marked.error()};
    (void)FP("consumer.after_wakeup_mark");
    return Sent::yes;
}

OwedRecords::Sent OwedRecords::send_again(std::string_view object_key, lane::Generation gen) {
    const WallTime due = context_.clock.wall() + lane::delay_of(tier_of_others());
    if (!publish_wakeup(object_key, gen, due)) return Sent::not_taken;
    context_.decisions.wakeup("resent");
    return Sent::yes;
}

Result<OwedRecords::Sent> OwedRecords::send_dead_letter(store::Connection& connection, std::int64_t id) {
    const auto dead_letter = store::find_dead_letter(connection, id);
    if (!dead_letter) return Failure{dead_letter.error()};
    if (!*dead_letter || !(*dead_letter)->is_open() || (*dead_letter)->dlq_sent) return Sent::yes;
    const store::DeadLetterRow& row = **dead_letter;
    if (row.kind == store::DeadLetterKind::newer)
        return Sent::refused;  // its own release knows what to write
    auto stored = record_of(connection, row);
    if (!stored) return Failure{stored.error()};
    const Item item = stored_event(std::move(*stored), row.object_key);
    const DeathNotice notice{row.error_class, row.error_text, std::max(row.attempts, 1), row.first_failed_at};
    const config::KafkaSettings& kafka = context_.rules.kafka;
    const DeadLetterRoute route{{row.topic, kafka.group}, kafka.dlq_topic};
    const SteadyTime start = context_.clock.steady();
    const bool is_tried =
        shut_.is_open(kafka.dlq_topic, start) && shut_dead_letters_.is_open(std::to_string(id), start);
    const Sent sent = publish_dead_letter(dlq_record(item.record, route, notice), id);
    if (is_tried)
        context_.decisions.spans().dead_letter(item, {id, row.error_class, sent == Sent::yes}, start);
    if (sent != Sent::yes) {
        if (is_tried || sent == Sent::not_taken)
            context_.decisions.dead_letter_failed(item, sent == Sent::refused
                                                            ? "the broker refuses this record"
                                                            : "the broker did not acknowledge it");
        return sent;
    }
    if (auto marked = mark(connection, row); !marked) return Failure{marked.error()};
    (void)FP("consumer.after_dlq_sent");
    return Sent::yes;
}

Result<void> OwedRecords::mark(store::Connection& connection, const store::DeadLetterRow& dead_letter) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    if (dead_letter.place) {
        const auto locked = store::lock_lane(connection, dead_letter.place->lane);
        if (!locked) return Failure{locked.error()};
    }
    if (auto marked = store::mark_dead_letter_sent(connection, dead_letter.id); !marked)
        return Failure{marked.error()};
    return open->commit();
}

OwedRecords::Sent OwedRecords::publish_dead_letter(const Outgoing& record, std::int64_t id) {
    const std::string name = std::to_string(id);
    if (!shut_.is_open(record.topic, context_.clock.steady())) return Sent::not_taken;
    if (!shut_dead_letters_.is_open(name, context_.clock.steady())) return Sent::refused;
    auto published = context_.publisher.publish(record);
    if (!published && is_too_large(published.error()))
        published = context_.publisher.publish(without_body(record));
    if (!published && is_refusal_of_the_record(published.error())) {
        shut_dead_letters_.refused(name, context_.clock.steady());
        return Sent::refused;
    }
    if (!conclude(record, "dlq", published)) return Sent::not_taken;
    shut_dead_letters_.took(name);
    return Sent::yes;
}

bool OwedRecords::publish_wakeup(std::string_view object_key, lane::Generation gen, WallTime due) {
    LaneWakeup wakeup;
    wakeup.object_key = object_key;
    wakeup.gen = gen;
    wakeup.due = due;
    return publish(wakeup_record(wakeup, context_.rules.retry_topics, context_.clock.wall()), "retry");
}

bool OwedRecords::publish(const Outgoing& record, const char* concern) {
    if (!shut_.is_open(record.topic, context_.clock.steady())) return false;
    return conclude(record, concern, context_.publisher.publish(record));
}

bool OwedRecords::conclude(const Outgoing& record, const char* concern, const Result<void>& published) {
    if (published) {
        shut_.took(record.topic);
        context_.readiness.set_ready(concern);
        return true;
    }
    shut_.refused(record.topic, context_.clock.steady());
    context_.readiness.set_unready(
        concern, "topic " + record.topic + " accepts no records: " + published.error().message());
    return false;
}

}  // namespace sluice::consumer
