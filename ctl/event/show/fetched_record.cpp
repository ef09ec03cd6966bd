#include "ctl/event/show/fetched_record.hpp"

#include "common/kafka/client_config.hpp"
#include "common/record/separated.hpp"

namespace sluice::ctl {
namespace {

kafka::Client consumer_of(const config::KafkaSettings& settings) {
    kafka::Conf conf = kafka::client_config(settings, "sluicectl");
    kafka::set(*conf, "group.id",
               settings.group + ".sluicectl");  // wanted by assign; never joined or committed to
    kafka::set(*conf, "enable.auto.commit", "false");
    kafka::set(*conf, "auto.offset.reset", "error");
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);
    return kafka::make_client(RD_KAFKA_CONSUMER, std::move(conf), settings).value_or(nullptr);
}

FetchedRecord record_of(rd_kafka_message_t& message) {
    FetchedRecord record;
    record.timestamp = WallTime{std::chrono::milliseconds{rd_kafka_message_timestamp(&message, nullptr)}};
    record.body.assign(static_cast<const char*>(message.payload), message.len);
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return record;
    std::vector<record::HeaderView> views;
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
        views.push_back({name, {static_cast<const char*>(value), value == nullptr ? 0 : size}});
    }
    record.headers = record::separated(views);
    return record;
}

}  // namespace

std::expected<FetchedRecord, std::string> fetch_record(const config::KafkaSettings& settings,
                                                       const std::string& topic, std::int32_t partition,
                                                       std::int64_t offset,
                                                       std::chrono::milliseconds patience) {
    const kafka::Client client = consumer_of(settings);
    if (!client) return std::unexpected{"no client could be created"};
    const kafka::PartitionList where{rd_kafka_topic_partition_list_new(1)};
    rd_kafka_topic_partition_list_add(where.get(), topic.c_str(), partition)->offset = offset;
    if (const auto code = rd_kafka_assign(client.get(), where.get()))
        return std::unexpected{rd_kafka_err2str(code)};
    const SystemClock clock;
    const auto end = clock.steady() + patience;
    while (clock.steady() < end) {
        const kafka::Message message{rd_kafka_consumer_poll(client.get(), 100)};
        if (!message) continue;
        if (message->err == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) return std::unexpected{"no broker answers"};
        if (message->err == RD_KAFKA_RESP_ERR__TRANSPORT) continue;  // one of several
        if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
            return std::unexpected{rd_kafka_message_errstr(message.get())};
        if (message->offset != offset) return std::unexpected{"Kafka has deleted the record"};
        return record_of(*message);
    }
    return std::unexpected{"no answer in time"};
}

}  // namespace sluice::ctl
