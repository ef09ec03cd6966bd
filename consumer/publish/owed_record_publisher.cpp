#include "consumer/publish/owed_record_publisher.hpp"

#include <array>
#include <future>
#include <thread>

#include "common/config/problems.hpp"
#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/kafka/client_config.hpp"
#include "common/kafka/error.hpp"
#include "common/kafka/handle.hpp"

namespace sluice::consumer {
namespace {

// A worker waits for each report: a topic that takes nothing must not hold its other objects for long.
constexpr int report_within_ms = 4'000;

using Report = std::promise<rd_kafka_resp_err_t>;

// Runs on the reporting thread. Each message carries its own promise, kept alive by its waiter.
void on_report(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
    std::unique_ptr<std::shared_ptr<Report>> report{static_cast<std::shared_ptr<Report>*>(message->_private)};
    const bool persisted =
        rd_kafka_message_status(message) == RD_KAFKA_MSG_STATUS_PERSISTED && message->offset >= 0;
    (*report)->set_value(persisted                                    ? RD_KAFKA_RESP_ERR_NO_ERROR
                         : message->err != RD_KAFKA_RESP_ERR_NO_ERROR ? message->err
                                                                      : RD_KAFKA_RESP_ERR__FAIL);
}

kafka::Headers make_headers(const std::vector<std::pair<std::string, std::string>>& list) {
    kafka::Headers headers{rd_kafka_headers_new(list.size())};
    for (const auto& [name, value] : list) {
        rd_kafka_header_add(headers.get(), name.data(), static_cast<ssize_t>(name.size()), value.data(),
                            static_cast<ssize_t>(value.size()));
    }
    return headers;
}

rd_kafka_vu_t bytes_field(rd_kafka_vtype_t type, std::string_view bytes) {
    rd_kafka_vu_t field{};
    field.vtype = type;
    field.u.mem = {const_cast<char*>(bytes.data()), bytes.size()};  // copied, never written to
    return field;
}

Log& log_of_publisher(void* opaque) {
    return *static_cast<Log*>(opaque);
}

kafka::Client make_producer(const config::KafkaSettings& settings, Log& log) {
    kafka::Conf conf = kafka::client_config(settings, "sluice-consumer-publisher");
    // A duplicate is harmless, in the DLQ and of a wakeup; a producer that an idempotence error made useless
    // is not.
    kafka::set(*conf, "enable.idempotence", "false");
    kafka::set(*conf, "acks", "all");
    kafka::set(*conf, "linger.ms", "0");
    kafka::set(*conf, "partitioner", "murmur2_random");
    // The topic's own limit decides: a dead letter is its record and more headers.
    kafka::set(*conf, "message.max.bytes", "100000000");
    kafka::set(*conf, "topic.metadata.propagation.max.ms", "1000");
    kafka::set(*conf, "message.timeout.ms", std::to_string(report_within_ms - 500));
    rd_kafka_conf_set_dr_msg_cb(conf.get(), on_report);
    rd_kafka_conf_set_opaque(conf.get(), &log);
    kafka::send_logs_to(*conf, log_of_publisher);
    auto producer = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings);
    if (!producer) throw config::Refused{"Kafka producer of the consumer: " + producer.error()};
    return std::move(*producer);
}

class KafkaPublisher final : public Publisher {
public:
    KafkaPublisher(const config::KafkaSettings& settings, const std::vector<std::string>& known_topics,
                   Log& log)
        : dlq_topic_{settings.dlq_topic},
          producer_{make_producer(settings, log)},
          reports_{[this](const std::stop_token& stop) {
              while (!stop.stop_requested()) rd_kafka_poll(producer_.get(), 100);
          }} {
        for (const std::string& topic : known_topics) {
            known_topics_.emplace_back(rd_kafka_topic_new(producer_.get(), topic.c_str(), nullptr));
        }
    }

    ~KafkaPublisher() override {
        reports_.request_stop();
        reports_.join();
        // The waiters are gone; what is still queued belongs to events that are not settled.
        rd_kafka_purge(producer_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
        rd_kafka_flush(producer_.get(), 1000);
    }

    Result<void> publish(const Outgoing& record) override {
        const bool dead_letter = record.topic == dlq_topic_;
        if (dead_letter && FP("consumer.before_dlq_produce")) return Failure{errc::injected};
        if (const auto done = answer_of(handed_over(record), deadline()); !done) return done;
        if (dead_letter && FP("consumer.after_dlq_ack")) return Failure{errc::injected};
        return {};
    }

    std::vector<Result<void>> publish_all(std::span<const Outgoing> records) override {
        std::vector<Handed> handed;
        for (const Outgoing& record : records) handed.push_back(handed_over(record));
        std::vector<Result<void>> answers;
        const auto until = deadline();
        for (Handed& one : handed) answers.push_back(answer_of(std::move(one), until));
        return answers;
    }

private:
    /// What will be reported, or why nothing will.
    using Handed = std::expected<std::future<rd_kafka_resp_err_t>, std::error_code>;

    static SteadyTime deadline() { return SystemClock{}.steady() + Milliseconds{report_within_ms}; }

    Handed handed_over(const Outgoing& record) {
        auto report = std::make_shared<Report>();
        auto answer = report->get_future();
        if (const auto error = produce(record, report)) return std::unexpected(error);
        return answer;
    }

    static Result<void> answer_of(Handed handed, SteadyTime until) {
        if (!handed) return Failure{handed.error()};
        if (handed->wait_until(until) != std::future_status::ready) return Failure{errc::timed_out};
        const auto code = handed->get();
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return Failure{kafka::make_error(code)};
        return {};
    }

    std::error_code produce(const Outgoing& record, const std::shared_ptr<Report>& report) {
        kafka::Headers headers = make_headers(record.headers);
        auto opaque = std::make_unique<std::shared_ptr<Report>>(report);
        std::array<rd_kafka_vu_t, 6> fields{};
        fields[0].vtype = RD_KAFKA_VTYPE_TOPIC;
        fields[0].u.cstr = record.topic.c_str();
        fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
        fields[1].u.i = RD_KAFKA_MSG_F_COPY;
        fields[2] = bytes_field(RD_KAFKA_VTYPE_KEY, record.key);
        fields[3] = bytes_field(RD_KAFKA_VTYPE_VALUE, record.value.value_or(std::string_view{}));
        fields[4].vtype = RD_KAFKA_VTYPE_HEADERS;
        fields[4].u.headers = headers.get();
        fields[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
        fields[5].u.ptr = opaque.get();
        // No partition is named: with one that does not exist librdkafka frees the headers twice up to 2.11.
        const kafka::ErrorHandle error{rd_kafka_produceva(producer_.get(), fields.data(), fields.size())};
        if (error) return kafka::make_error(rd_kafka_error_code(error.get()));
        (void)headers.release();  // owned by the message now
        (void)opaque.release();   // owned by its delivery report now
        return {};
    }

    std::string dlq_topic_;
    kafka::Client producer_;
    std::vector<kafka::Topic> known_topics_;
    std::jthread reports_;
};

}  // namespace

std::unique_ptr<Publisher> owed_record_publisher(const config::KafkaSettings& settings,
                                                 const std::vector<std::string>& known_topics, Log& log) {
    return std::make_unique<KafkaPublisher>(settings, known_topics, log);
}

}  // namespace sluice::consumer
