#include "consumer/lane/run/debts.hpp"

#include <algorithm>
#include <string>

#include "common/failpoint.hpp"
#include "consumer/lane/rules/tiers.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "consumer/lane/run/wake_record.hpp"
#include "consumer/publish/letter.hpp"
#include "consumer/publish/refusal.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

/// The record of a dead letter: its own copy, or the one in the lane. Without either (it was deleted) the
/// letter still says what is known.
Result<store::StoredRecord> record_of(store::Connection& connection, const store::LetterRow& letter) {
    if (letter.place) {
        auto stored = store::read_record(connection, letter.place->lane, letter.place->position);
        if (!stored) return Failure{stored.error()};
        if (*stored) return std::move(**stored);
    }
    return store::StoredRecord{.topic = letter.topic,
                               .partition = letter.partition,
                               .offset = letter.offset,
                               .appended_at = letter.first_failed_at,
                               .headers = letter.headers.value_or(""),
                               .body = letter.body.value_or("")};
}

}  // namespace

Result<Debts::Paid> Debts::pay_kick(store::Connection& connection, const store::LaneKey& key,
                                    std::string_view object_key, const lane::Wake& wake) {
    if (FP("consumer.before_kick")) return Paid::not_taken;
    if (!publish_kick(object_key, wake.gen, wake.due.value_or(WallTime{}))) return Paid::not_taken;
    (void)FP("consumer.after_kick");
    context_.decisions.kick("produced");
    if (auto marked = store::mark_kick(connection, key, wake.gen); !marked) return Failure{marked.error()};
    (void)FP("consumer.after_kick_mark");
    return Paid::yes;
}

Debts::Paid Debts::send_again(std::string_view object_key, lane::Generation gen) {
    const WallTime due = context_.clock.wall() + lane::delay_of(tier_of_others());
    if (!publish_kick(object_key, gen, due)) return Paid::not_taken;
    context_.decisions.kick("resent");
    return Paid::yes;
}

Result<Debts::Paid> Debts::pay_letter(store::Connection& connection, std::int64_t id) {
    const auto letter = store::find_letter(connection, id);
    if (!letter) return Failure{letter.error()};
    if (!*letter || !(*letter)->is_open() || (*letter)->dlq_sent) return Paid::yes;
    const store::LetterRow& row = **letter;
    if (row.kind == store::LetterKind::newer) return Paid::refused;  // its own release knows what to write
    auto stored = record_of(connection, row);
    if (!stored) return Failure{stored.error()};
    const Item item = stored_event(std::move(*stored), row.object_key);
    const DeathNotice notice{row.error_class, row.error_text, std::max(row.attempts, 1), row.first_failed_at};
    const config::KafkaSettings& kafka = context_.rules.kafka;
    const DeadLetterRoute route{{row.topic, kafka.group}, kafka.dlq_topic};
    const SteadyTime start = context_.clock.steady();
    const bool is_tried =
        shut_.is_open(kafka.dlq_topic, start) && shut_letters_.is_open(std::to_string(id), start);
    const Paid paid = publish_letter(dead_letter(item.record, route, notice), id);
    if (is_tried)
        context_.decisions.spans().dead_letter(item, {id, row.error_class, paid == Paid::yes}, start);
    if (paid != Paid::yes) {
        if (is_tried || paid == Paid::not_taken)
            context_.decisions.dead_letter_failed(item, paid == Paid::refused
                                                            ? "the broker refuses this record"
                                                            : "the broker did not acknowledge it");
        return paid;
    }
    if (auto marked = mark(connection, row); !marked) return Failure{marked.error()};
    (void)FP("consumer.after_dlq_sent");
    return Paid::yes;
}

Result<void> Debts::mark(store::Connection& connection, const store::LetterRow& letter) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    if (letter.place) {
        const auto locked = store::lock_lane(connection, letter.place->lane);
        if (!locked) return Failure{locked.error()};
    }
    if (auto marked = store::mark_letter_sent(connection, letter.id); !marked) return Failure{marked.error()};
    return open->commit();
}

Debts::Paid Debts::publish_letter(const Outgoing& record, std::int64_t id) {
    const std::string name = std::to_string(id);
    if (!shut_.is_open(record.topic, context_.clock.steady())) return Paid::not_taken;
    if (!shut_letters_.is_open(name, context_.clock.steady())) return Paid::refused;
    auto published = context_.publisher.publish(record);
    if (!published && is_too_large(published.error()))
        published = context_.publisher.publish(without_body(record));
    if (!published && is_refusal_of_the_record(published.error())) {
        shut_letters_.refused(name, context_.clock.steady());
        return Paid::refused;
    }
    if (!conclude(record, "dlq", published)) return Paid::not_taken;
    shut_letters_.took(name);
    return Paid::yes;
}

bool Debts::publish_kick(std::string_view object_key, lane::Generation gen, WallTime due) {
    WakeUp wake_up;
    wake_up.object_key = object_key;
    wake_up.gen = gen;
    wake_up.due = due;
    return publish(wake_record(wake_up, context_.rules.retry_topics, context_.clock.wall()), "retry");
}

bool Debts::publish(const Outgoing& record, const char* concern) {
    if (!shut_.is_open(record.topic, context_.clock.steady())) return false;
    return conclude(record, concern, context_.publisher.publish(record));
}

bool Debts::conclude(const Outgoing& record, const char* concern, const Result<void>& published) {
    if (published) {
        shut_.took(record.topic);
        context_.readiness.set_ready(concern);
        return true;
    }
    shut_.refused(record.topic, context_.clock.steady());
    context_.readiness.set_unready(
        concern, "topic " + record.topic + " takes nothing: " + published.error().message());
    return false;
}

}  // namespace sluice::consumer
