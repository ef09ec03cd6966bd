#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::callbacks {

/// Batches of callbacks on their way into kafka.callbacks_topic: a client and a thread of their own, so that
/// nothing of it can delay or fail a webhook. What does not arrive is lost and counted
/// (sluice_ingress_callbacks_total), in requests.
class CallbackSender {
public:
    /// Bytes that may wait for Kafka, in all. More are lost.
    static constexpr std::size_t most_waiting = std::size_t{16} << 20;

    /// Throws config::Refused where the Kafka settings cannot be used. All outlive it.
    CallbackSender(const config::KafkaSettings& settings, const Clock& clock, Log& log, Metrics& metrics);
    /// Waits up to two seconds for what is on its way.
    ~CallbackSender();

    /// Any thread; does not wait. `requests`: that the batch is about.
    void give(std::string batch, std::uint64_t requests);

private:
    struct Batch {
        std::string bytes;
        std::uint64_t requests;
    };

    static void on_report(rd_kafka_t* client, const rd_kafka_message_t* message, void* opaque);
    static Log& log_of(void* opaque) { return static_cast<CallbackSender*>(opaque)->log_; }
    void open();
    void run();
    void send(const Batch& batch);
    void drop(const Batch& batch, const char* why);
    void settle(std::size_t bytes);
    void lost(std::uint64_t requests, const char* why);
    void close();
    void replace_if_fatal();
    [[nodiscard]] bool has_client();

    const config::KafkaSettings& settings_;
    const Clock& clock_;
    Log& log_;
    Counter& sent_;
    Counter& lost_;
    std::mutex mutex_;
    std::condition_variable more_;
    std::vector<Batch> given_;
    bool stopping_ = false;
    std::atomic<std::size_t> waiting_{0};  // bytes
    // The thread's.
    kafka::Client client_;
    kafka::Topic topic_;  // gone before its client
    std::uint64_t batches_ = 0;
    std::string no_client_because_{};
    SteadyTime try_again_at_{};  // where there is no client
    std::string said_;           // why callbacks were lost, as last logged
    std::thread thread_;
};

}  // namespace sluice::callbacks
