#include "consumer/retry_role/retry_loop.hpp"

#include <algorithm>
#include <span>

#include "common/failpoint.hpp"
#include "consumer/lane/run/wakeup_record.hpp"

namespace sluice::consumer {
namespace {

// A pause throws away what was fetched ahead. A topic full of records that are due one after the other is
// read in heaps, ten a second, and not with one pause and one fetch for each.
constexpr Milliseconds shortest_pause{100};

GroupMember::Settings member_of(const config::KafkaSettings& kafka, const std::vector<RetryTopic>& topics) {
    std::vector<std::string> names;
    names.reserve(topics.size());
    for (const RetryTopic& topic : topics) names.push_back(topic.name);
    return {.role = "retry",
            .concern = "retry_group",
            .member = {.name = "sluice-consumer-retry",
                       .group = kafka.group + ".retry",
                       .assignors = "range",
                       .offset_reset = "earliest",
                       // What is fetched behind a record that is not due is thrown away when its partition is
                       // paused.
                       .fetching = {{"queued.min.messages", "1"},
                                    {"queued.max.messages.kbytes", "256"},
                                    {"fetch.message.max.bytes", "65536"}}},
            .topics = std::move(names),
            .buffer_bytes = 8 << 20,
            .words = {.client = "the Kafka client of the retry role",
                      .paused = "retry_paused",
                      .resumed = "retry_resumed",
                      .commit_failed = "retry_commit_failed"}};
}

}  // namespace

RetryLoop::RetryLoop(const config::KafkaSettings& kafka, const std::vector<RetryTopic>& topics,
                     Partitions& partitions, Log& log, Metrics& metrics, Readiness& readiness,
                     const Clock& clock)
    : GroupMember{kafka, member_of(kafka, topics), partitions, log, metrics, readiness, clock},
      retry_topics_{topics},
      polls_{metrics.counter("sluice_consumer_retry_polls_total", "Polls of the retry topics")},
      refused_{metrics.counter("sluice_consumer_wakeups_refused_total",
                               "Records of retry topics that could not be read")},
      kept_{metrics.gauge("sluice_consumer_retry_partitions_paused",
                          "Partitions of retry topics whose first record is not due yet")} {}

void RetryLoop::turn() {
    polls_.Increment();
    // While nothing may be handed out, what is due is no reason to hurry.
    const auto next = is_paused() ? std::nullopt : due_.next();
    poll(poll_wait(next, clock_.steady(), longest_poll));
    give_due();
    hand_over();
    if (!are_chores_due()) return;
    do_chores();
    kept_.Set(static_cast<double>(due_.size()));
}

void RetryLoop::receive(kafka::Message message) {
    const auto topic = topics_.index_of(rd_kafka_topic_name(message->rkt));
    if (!topic) return;
    Record record = record_of(std::move(message));
    record.at.topic = *topic;
    const Place place = record.at.place();
    const WallTime due = due_time(record);
    const auto generation = partitions_.begin(place, record.at.offset, due);
    if (!generation) return;
    record.at.generation = *generation;
    const SteadyTime now = clock_.steady();
    const SteadyTime until = hold_until(due, retry_topics_[*topic].delay, clock_.wall(), now);
    if (until <= now && !is_paused() && !due_.is_kept(place)) return hand_out(std::move(record));
    set_paused({place}, true);
    due_.keep(std::move(record), std::max(until, now + lane::paced(shortest_pause)));
}

WallTime RetryLoop::due_time(const Record& record) {
    const RetryTopic& topic = retry_topics_[record.at.topic];
    if (topic.records != RecordKind::wakeup) return record.appended_at;
    const auto wakeup = read_wakeup_record(record.headers);
    if (wakeup) return wakeup->due;
    refused_.Increment();
    log_.warn("wakeup_refused", {{"topic", topic.name},
                                 {"partition", std::int64_t{record.at.partition}},
                                 {"offset", record.at.offset},
                                 {"reason", name_of(wakeup.error())}});
    return record.appended_at;
}

void RetryLoop::give_due() {
    if (is_paused()) return;
    std::vector<Place> resumed;
    for (auto& due : due_.take_due(clock_.steady())) {
        resumed.push_back(due.place);
        for (Record& record : due.records) hand_out(std::move(record));
    }
    if (!resumed.empty()) set_paused(resumed, false);
}

// Each partition starts where the group stands, or at the log's start.
void RetryLoop::assigned(rd_kafka_topic_partition_list_t& list) {
    for (auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        if (partition.offset < 0) partition.offset = RD_KAFKA_OFFSET_BEGINNING;
    }
    for (const Place place : topics_.places_in(list)) partitions_.assign(place, std::nullopt, 0);
    assign(list);
    say_assigned();
    log_.info("retry_assigned", {{"partitions", std::int64_t{list.cnt}}});
}

void RetryLoop::giving_back(bool quiet) {
    if (!quiet)
        log_.warn("revoked_in_visit", {{"reason", "a visit took too long; its record is read again"}});
    (void)FP("consumer.before_retry_revoke_commit");
}

void RetryLoop::gave_back(bool lost) {
    due_.clear();  // not begun: the next owner reads them
    log_.info(lost ? "retry_assignment_lost" : "retry_revoked", {});
}

void RetryLoop::store_offsets() {
    const auto storable = partitions_.storable();
    if (storable.empty() || FP("consumer.before_retry_offset_store")) return;
    store(storable);
}

}  // namespace sluice::consumer
