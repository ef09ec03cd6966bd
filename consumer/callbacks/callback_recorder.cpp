#include "consumer/callbacks/callback_recorder.hpp"

#include <array>
#include <exception>

#include "common/crypto/random.hpp"
#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/callbacks/callback_work.hpp"
#include "consumer/process/startup.hpp"
#include "consumer/process/topic_guard.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* concern = "callbacks";
constexpr std::size_t buffer_bytes = 16 << 20;
constexpr Milliseconds between_looks{200};
constexpr Milliseconds before_it_begins_anew{10'000};

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

CallbackRecorder::CallbackRecorder(Process& process) : process_{process} {
    process_.readiness.expect(concern, "not looked at yet");
    CallbackWork::export_counters(process_.metrics);
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void CallbackRecorder::run(const std::stop_token& stop) {
    name_this_thread("callbacks");
    while (!stop.stop_requested()) {
        try {
            record(stop);
        } catch (const std::exception& error) {
            ended(error.what());
        }
        (void)wait_or_stop(stop, before_it_begins_anew);
    }
}

void CallbackRecorder::record(const std::stop_token& stop) {
    const WaitOrStop wait = [&](Milliseconds time) { return wait_or_stop(stop, time); };
    const config::KafkaSettings& kafka = process_.config.kafka;
    SideReader events{process_, settings_of(kafka, kafka.topic, "accepted")};
    SideReader callbacks{process_, settings_of(kafka, kafka.callbacks_topic, "callbacks")};
    const std::array topics{kafka.topic, kafka.callbacks_topic};
    const auto facts = wait_for_topics(process_.config, topics, callbacks.client(), process_.log,
                                       process_.readiness, concern, wait);
    if (!facts) return;
    using Log = store::CallbackPlace::Log;
    read(events, Log::events, kafka.topic, facts->front());
    read(callbacks, Log::callbacks, kafka.callbacks_topic, facts->back());
    const TopicGuard guard{
        callbacks.client(),
        {{kafka.topic, "accepted", facts->front()}, {kafka.callbacks_topic, concern, facts->back()}},
        process_.log,
        process_.metrics,
        process_.readiness};
    while (!guard.topic_has_changed() && !events.has_failed() && !callbacks.has_failed())
        if (!wait(between_looks)) return;
    ended("a topic was made anew, or the client of one has failed");
}

void CallbackRecorder::ended(const std::string& why) {
    process_.readiness.set_unready(concern, why);
    process_.log.error("callbacks_not_recorded", {{"reason", std::string_view{why}}});
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

}  // namespace sluice::consumer
