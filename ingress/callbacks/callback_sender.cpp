#include "ingress/callbacks/callback_sender.hpp"

#include <chrono>
#include <utility>

#include "common/kafka/client_config.hpp"
#include "common/thread_name.hpp"

namespace sluice::callbacks {
namespace {

constexpr std::chrono::milliseconds serve_every{100};
constexpr std::chrono::seconds before_another{1};
constexpr int last_flush_ms = 2'000;

Counter& counter_of(Metrics& metrics, const char* result) {
    return metrics.counter("sluice_ingress_callbacks_total",
                           "Requests without a record of their own in the webhook topic, by what became of "
                           "the record of them: sent to the topic of callbacks, or lost",
                           {{"result", result}});
}

/// What a record's report needs; freed by the report.
struct InFlight {
    std::uint64_t requests;
    std::size_t bytes;
};

}  // namespace

CallbackSender::CallbackSender(const config::KafkaSettings& settings, const Clock& clock, Log& log,
                               Metrics& metrics)
    : settings_{settings},
      clock_{clock},
      log_{log},
      sent_{counter_of(metrics, "sent")},
      lost_{counter_of(metrics, "lost")} {
    open();
    thread_ = std::thread{[this] { run(); }};
}

CallbackSender::~CallbackSender() {
    {
        const std::scoped_lock lock{mutex_};
        stopping_ = true;
    }
    more_.notify_all();
    thread_.join();
}

/// Idempotent, so that a record that is sent again by the client is there once.
void CallbackSender::open() {
    kafka::Conf conf = kafka::client_config(settings_, "sluice-ingress-callbacks");
    kafka::set(*conf, "enable.idempotence", "true");
    kafka::set(*conf, "message.timeout.ms", "30000");
    kafka::set(*conf, "message.max.bytes", "2000000");
    kafka::set(*conf, "allow.auto.create.topics", "false");
    rd_kafka_conf_set_opaque(conf.get(), this);
    rd_kafka_conf_set_dr_msg_cb(conf.get(), on_report);
    kafka::send_logs_to(*conf, log_of);
    auto client = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings_);
    if (!client) throw config::Refused{"kafka: " + client.error()};
    client_ = std::move(*client);
    topic_.reset(rd_kafka_topic_new(client_.get(), settings_.callbacks_topic.c_str(), nullptr));
}

void CallbackSender::give(std::string batch, std::uint64_t requests) {
    if (waiting_.load(std::memory_order_relaxed) + batch.size() > most_waiting)
        return lost_.Increment(static_cast<double>(requests));
    waiting_.fetch_add(batch.size(), std::memory_order_relaxed);
    const std::scoped_lock lock{mutex_};
    given_.push_back({std::move(batch), requests});
}

void CallbackSender::run() {
    name_this_thread("callbacks");
    bool goes_on = true;
    while (goes_on) {
        std::vector<Batch> batches;
        {
            std::unique_lock lock{mutex_};
            more_.wait_for(lock, serve_every, [this] { return stopping_; });
            goes_on = !stopping_;
            std::swap(batches, given_);
        }
        const bool can_send = has_client();
        for (const Batch& batch : batches) can_send ? send(batch) : drop(batch, no_client_because_.c_str());
        if (!client_) continue;
        rd_kafka_poll(client_.get(), 0);
        replace_if_fatal();
    }
    if (!client_) return;
    rd_kafka_flush(client_.get(), last_flush_ms);
    close();
}

void CallbackSender::drop(const Batch& batch, const char* why) {
    lost(batch.requests, why);
    settle(batch.bytes.size());
}

/// The key only spreads records: nothing is read from it.
void CallbackSender::send(const Batch& batch) {
    auto in_flight = std::make_unique<InFlight>(batch.requests, batch.bytes.size());
    const std::string key = std::to_string(batches_++);
    // librdkafka takes no const pointer, and copies.
    const int refused = rd_kafka_produce(topic_.get(), RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY,
                                         const_cast<char*>(batch.bytes.data()), batch.bytes.size(),
                                         key.data(), key.size(), in_flight.get());
    if (refused == 0) {
        static_cast<void>(in_flight.release());  // the report's
        return;
    }
    drop(batch, rd_kafka_err2str(rd_kafka_last_error()));
}

void CallbackSender::on_report(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    CallbackSender& self = *static_cast<CallbackSender*>(opaque);
    const std::unique_ptr<InFlight> record{static_cast<InFlight*>(message->_private)};
    self.settle(record->bytes);
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
        return self.lost(record->requests, rd_kafka_err2str(message->err));
    self.sent_.Increment(static_cast<double>(record->requests));
    self.said_.clear();
}

void CallbackSender::settle(std::size_t bytes) {
    waiting_.fetch_sub(bytes, std::memory_order_relaxed);
}

void CallbackSender::lost(std::uint64_t requests, const char* why) {
    lost_.Increment(static_cast<double>(requests));
    if (std::exchange(said_, why) == why) return;
    log_.warn("callbacks_lost",
              {{"topic", std::string_view{settings_.callbacks_topic}}, {"reason", std::string_view{why}}});
}

void CallbackSender::close() {
    rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    while (rd_kafka_outq_len(client_.get()) > 0) rd_kafka_poll(client_.get(), 10);
    topic_.reset();
    client_.reset();
}

void CallbackSender::replace_if_fatal() {
    if (rd_kafka_fatal_error(client_.get(), nullptr, 0) == RD_KAFKA_RESP_ERR_NO_ERROR) return;
    close();
    no_client_because_ = "the client has failed";
    try_again_at_ = clock_.steady() + before_another;
}

/// What cannot be used now, such as a certificate that is being replaced, may be used later.
bool CallbackSender::has_client() {
    if (client_) return true;
    if (clock_.steady() < try_again_at_) return false;
    try_again_at_ = clock_.steady() + before_another;
    try {
        open();
    } catch (const config::Refused& refused) {
        no_client_because_ = refused.what();
    }
    return client_ != nullptr;
}

}  // namespace sluice::callbacks
