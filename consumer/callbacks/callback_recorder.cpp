#include "consumer/callbacks/callback_recorder.hpp"

#include <algorithm>
#include <array>

#include "common/crypto/random.hpp"
#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/callbacks/callback_work.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* concern = "callbacks";
constexpr std::size_t buffer_bytes = 16 << 20;

LogReader::Settings settings_of(const config::KafkaSettings& kafka, const std::string& topic,
                                const char* role) {
    return {.role = role,
            .concern = std::string{role} + "_group",
            .client_id = std::string{"sluice-consumer-"} + role,
            .group = kafka.callbacks_group(),
            .assignors = "range",
            .topic = topic,
            .buffer_bytes = buffer_bytes,
            .purpose = Purpose::record};
}

}  // namespace

CallbackRecorder::CallbackRecorder(Process& process)
    : process_{process},
      events_{process, settings_of(process.config.kafka, process.config.kafka.topic, "accepted")},
      callbacks_{process,
                 settings_of(process.config.kafka, process.config.kafka.callbacks_topic, "callbacks")} {
    process_.readiness.expect(concern, "not looked at yet");
    CallbackWork::export_counters(process_.metrics);
}

CallbackRecorder::~CallbackRecorder() {
    stop();
}

void CallbackRecorder::start() {
    starter_ = std::jthread{[this](const std::stop_token& stop) { begin(stop); }};
}

void CallbackRecorder::begin(const std::stop_token& stop) {
    name_this_thread("callbacks");
    const config::KafkaSettings& kafka = process_.config.kafka;
    const std::array topics{kafka.topic, kafka.callbacks_topic};
    const auto facts =
        wait_for_topics(process_.config, topics, callbacks_.client(), process_.log, process_.readiness,
                        concern, [&](Milliseconds time) { return wait_or_stop(stop, time); });
    if (!facts) return;
    using Log = store::CallbackPlace::Log;
    read(events_, Log::events, kafka.topic, facts->front());
    read(callbacks_, Log::callbacks, kafka.callbacks_topic, facts->back());
    guard_.emplace(callbacks_.client(),
                   std::vector<GuardedTopic>{{kafka.topic, "accepted", facts->front()},
                                             {kafka.callbacks_topic, concern, facts->back()}},
                   process_.log, process_.metrics, process_.readiness);
    reading_ = true;
}

void CallbackRecorder::read(SideReader& reader, store::CallbackPlace::Log log, const std::string& topic,
                            const kafka::TopicFacts& facts) {
    reader.start([&](Partitions& partitions) {
        OffsetWriter writer{.group = process_.config.kafka.callbacks_group(),
                            .topic_id = facts.topic_id,
                            .name = crypto::random_hex(8) + "-callbacks",
                            .topic = topic,
                            .purpose = Purpose::record};
        return std::make_unique<CallbackWork>(log, std::move(writer), partitions, process_);
    });
}

void CallbackRecorder::stop() {
    if (starter_.joinable()) {
        starter_.request_stop();
        starter_.join();
    }
    guard_.reset();
    events_.stop();
    callbacks_.stop();
}

bool CallbackRecorder::has_failed() const {
    return events_.has_failed() || callbacks_.has_failed() || (reading_ && guard_->topic_has_changed());
}

std::optional<SteadyTime> CallbackRecorder::last_turn() const {
    const auto events = events_.last_turn();
    const auto callbacks = callbacks_.last_turn();
    if (!events || !callbacks) return std::nullopt;
    return std::min(*events, *callbacks);
}

}  // namespace sluice::consumer
