#include "consumer/retry_role/retry_loop.hpp"

#include <algorithm>
#include <functional>

#include "consumer/group/member_client.hpp"
#include "consumer/lane/run/wakeup_record.hpp"
#include "consumer/record/polled_record.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds longest_poll{50};
constexpr Milliseconds between_retry_chores{200};
// A pause throws away what was fetched ahead. A topic full of records that are due one after the other is
// read in heaps, ten a second, and not with one pause and one fetch for each.
constexpr Milliseconds shortest_pause{100};

MemberSettings member_of(const config::KafkaSettings& kafka) {
    return {.name = "sluice-consumer-retry",
            .group = kafka.group + ".retry",
            .assignors = "range",
            .offset_reset = "earliest",
            // What is fetched behind a record that is not due is thrown away when its partition is paused.
            .fetching = {{"queued.min.messages", "1"},
                         {"queued.max.messages.kbytes", "256"},
                         {"fetch.message.max.bytes", "65536"}}};
}

}  // namespace

RetryLoop::RetryLoop(const config::KafkaSettings& kafka, Settings settings, RetryOffsets& offsets, Log& log,
                     Metrics& metrics, Readiness& readiness, const Clock& clock)
    : settings_{std::move(settings)},
      offsets_{offsets},
      log_{log},
      readiness_{readiness},
      clock_{clock},
      polls_{metrics.counter("sluice_consumer_retry_polls_total", "Polls of the retry topics")},
      refused_{metrics.counter("sluice_consumer_wakeups_refused_total",
                               "Records of retry topics that could not be read")},
      kept_{metrics.gauge("sluice_consumer_retry_partitions_paused",
                          "Partitions of retry topics whose first record is not due yet")},
      group_{metrics, "retry"},
      backpressure_{settings_.buffer_bytes},
      client_{make_member_client(kafka, member_of(kafka), this, on_rebalance,
                                 [](void* self) -> Log& { return static_cast<RetryLoop*>(self)->log_; })},
      lag_gauges_{metrics} {}

RetryLoop::~RetryLoop() = default;

void RetryLoop::start(std::vector<std::unique_ptr<RetryWorker>>& workers) {
    workers_ = &workers;
    const kafka::PartitionList topics{
        rd_kafka_topic_partition_list_new(static_cast<int>(settings_.topics.size()))};
    for (const auto& topic : settings_.topics) {
        rd_kafka_topic_partition_list_add(topics.get(), topic.name.c_str(), RD_KAFKA_PARTITION_UA);
    }
    const auto code = rd_kafka_subscribe(client_.get(), topics.get());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) fatal_ = std::string{"subscribe: "} + rd_kafka_err2str(code);
    last_turn_ = clock_.steady();
}

void RetryLoop::turn() {
    polls_.Increment();
    // While nothing may be handed out, what is due is no reason to hurry.
    const auto next = backpressure_.paused() ? std::nullopt : due_.next();
    const Milliseconds wait = poll_wait(next, clock_.steady(), longest_poll);
    if (kafka::Message message{rd_kafka_consumer_poll(client_.get(), static_cast<int>(wait.count()))}) {
        take(std::move(message));
    }
    const SteadyTime now = clock_.steady();
    last_turn_ = now;
    give_due();
    if (now < next_chores_) return;
    next_chores_ = now + between_retry_chores;
    apply_backpressure();
    store_offsets();
    export_lag();
}

void RetryLoop::take(kafka::Message message) {
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        receive(std::move(message));
    } else {
        failed(*message);
    }
}

void RetryLoop::failed(const rd_kafka_message_t& message) {
    const std::string text = rd_kafka_message_errstr(&message);
    const std::string topic = message.rkt == nullptr ? "" : rd_kafka_topic_name(message.rkt);
    log_.warn("kafka_consumer_error", {{"topic", topic}, {"reason", text}});
    if (message.err == RD_KAFKA_RESP_ERR__FATAL) {
        fatal_ = "the Kafka client of the retry role has failed: " + text;
    } else if (message.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
        readiness_.set_unready("retry_group",
                               "topic " + topic + " does not exist: run `sluicectl topics --apply`");
    }
}

void RetryLoop::receive(kafka::Message message) {
    const auto topic = index_of(rd_kafka_topic_name(message->rkt));
    if (!topic) return;
    const Place place{*topic, message->partition};
    Touch touch{.place = place,
                .kind = settings_.topics[*topic].records,
                .record = polled_record(std::move(message), bytes_),
                .wakeup = {}};
    const WallTime due = read(touch);
    const auto generation = offsets_.begin(place, touch.record.at.offset, due);
    if (!generation) return;
    touch.record.at.generation = *generation;
    const SteadyTime now = clock_.steady();
    const SteadyTime until = hold_until(due, settings_.topics[*topic].delay, clock_.wall(), now);
    if (until > now || backpressure_.paused() || due_.is_kept(place)) {
        keep(std::move(touch), std::max(until, now + lane::paced(shortest_pause)));
    } else {
        give(std::move(touch));
    }
}

WallTime RetryLoop::read(Touch& touch) {
    const WallTime at_once = touch.record.appended_at;
    if (touch.kind != RecordKind::wakeup) return at_once;
    const auto call = read_wakeup_record(touch.record.headers);
    if (call) {
        touch.wakeup = call->gen;
        return call->due;
    }
    refused_.Increment();
    log_.warn("wakeup_refused", {{"topic", settings_.topics[touch.place.topic].name},
                                 {"partition", std::int64_t{touch.place.partition}},
                                 {"offset", touch.record.at.offset},
                                 {"reason", name_of(call.error())}});
    return at_once;
}

void RetryLoop::keep(Touch touch, SteadyTime until) {
    set_paused({touch.place}, true);
    due_.keep(std::move(touch), until);
}

void RetryLoop::give(Touch touch) {
    const std::size_t worker = std::hash<std::string_view>{}(touch.record.key) % workers_->size();
    (*workers_)[worker]->offer(std::move(touch));
}

void RetryLoop::give_due() {
    if (backpressure_.paused()) return;
    std::vector<Place> resumed;
    for (auto& due : due_.take_due(clock_.steady())) {
        resumed.push_back(due.place);
        for (auto& touch : due.touches) give(std::move(touch));
    }
    if (!resumed.empty()) set_paused(resumed, false);
}

void RetryLoop::apply_backpressure() {
    bool trouble = !workers_->empty();
    for (const auto& worker : *workers_) trouble = trouble && worker->in_trouble();
    const Backpressure::Step step = backpressure_.look(*bytes_, trouble);
    if (step == Backpressure::Step::none) return;
    set_paused(step == Backpressure::Step::pause);
}

void RetryLoop::set_paused(bool paused) {
    std::vector<Place> places = assigned_places();
    // Those whose record is kept go on when it is due.
    std::erase_if(places, [this](Place place) { return due_.is_kept(place); });
    set_paused(places, paused);
    log_.info(paused ? "retry_paused" : "retry_resumed",
              {{"buffered_bytes", static_cast<std::int64_t>(bytes_->load())}});
}

void RetryLoop::set_paused(const std::vector<Place>& places, bool paused) {
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(places.size()))};
    for (const Place place : places) {
        const std::string& topic = settings_.topics[place.topic].name;
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), place.partition);
    }
    (void)(paused ? rd_kafka_pause_partitions : rd_kafka_resume_partitions)(client_.get(), list.get());
}

std::optional<std::size_t> RetryLoop::index_of(std::string_view topic) const {
    const auto at = std::ranges::find(settings_.topics, topic, &RetryTopic::name);
    if (at == settings_.topics.end()) return std::nullopt;
    return static_cast<std::size_t>(at - settings_.topics.begin());
}

void RetryLoop::export_lag() {
    kept_.Set(static_cast<double>(due_.size()));
    const WallTime now = clock_.wall();
    for (const auto& lag : offsets_.lags()) {
        lag_gauges_.show(settings_.topics[lag.place.topic].name, lag.place.partition, lag.oldest_due,
                         lag.unfinished, now);
    }
    group_.assigned.Set(static_cast<double>(lag_gauges_.end_look()));
}

}  // namespace sluice::consumer
