#include "consumer/record/polled_record.hpp"

namespace sluice::consumer {
namespace {

// Owns the client's message and its share of the bytes that are read ahead.
struct Owned {
    kafka::Message message;
    std::shared_ptr<std::atomic<std::size_t>> bytes;
    std::size_t size;

    Owned(kafka::Message m, std::shared_ptr<std::atomic<std::size_t>> b, std::size_t s)
        : message{std::move(m)}, bytes{std::move(b)}, size{s} {
        bytes->fetch_add(size, std::memory_order_relaxed);
    }
    Owned(const Owned&) = delete;
    ~Owned() { bytes->fetch_sub(size, std::memory_order_relaxed); }
};

std::vector<record::HeaderView> header_views(const rd_kafka_message_t& message) {
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    std::vector<record::HeaderView> views;
    views.reserve(rd_kafka_header_cnt(headers));
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
        views.push_back({name, {static_cast<const char*>(value), value == nullptr ? 0 : size}});
    }
    return views;
}

}  // namespace

Record polled_record(kafka::Message message, std::shared_ptr<std::atomic<std::size_t>> bytes) {
    Record record;
    record.at = {message->partition, message->offset, 0};
    record.leader_epoch = rd_kafka_message_leader_epoch(message.get());
    record.key = {static_cast<const char*>(message->key), message->key == nullptr ? 0 : message->key_len};
    record.value = {static_cast<const char*>(message->payload),
                    message->payload == nullptr ? 0 : message->len};
    record.headers = header_views(*message);
    rd_kafka_timestamp_type_t kind{};
    record.appended_at = WallTime{Milliseconds{rd_kafka_message_timestamp(message.get(), &kind)}};
    const std::size_t size = record.bytes();
    record.owner = std::make_shared<Owned>(std::move(message), std::move(bytes), size);
    return record;
}

}  // namespace sluice::consumer
