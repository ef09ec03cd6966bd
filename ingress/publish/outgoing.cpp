#include "ingress/publish/outgoing.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "common/failpoint.hpp"

namespace sluice::publish {
namespace {

constexpr std::size_t record_overhead = 128;
constexpr std::size_t header_overhead = 10;

kafka::Headers headers_of(const Record& record) {
    kafka::Headers headers{rd_kafka_headers_new(record.headers.size())};
    for (const auto& [name, value] : record.headers)
        rd_kafka_header_add(headers.get(), name.data(), static_cast<ssize_t>(name.size()), value.data(),
                            static_cast<ssize_t>(value.size()));
    return headers;
}

}  // namespace

Outgoing::Outgoing(const Record& record, std::int32_t partition, std::unique_ptr<Delivery> delivery)
    : partition_{partition}, headers_{headers_of(record)}, delivery_{std::move(delivery)} {
    const std::size_t value_size = record.value.size();
    memory_.reset(static_cast<char*>(std::malloc(value_size + record.key.size() + 1)));
    if (!memory_) throw std::bad_alloc{};
    std::ranges::copy(record.value, memory_.get());
    std::ranges::copy(record.key, memory_.get() + value_size);
    value_ = {memory_.get(), value_size};
    key_ = {memory_.get() + value_size, record.key.size()};
}

rd_kafka_resp_err_t Outgoing::hand_over(rd_kafka_t& client, rd_kafka_topic_t& topic) {
    if (FP("ingress.before_produce")) return RD_KAFKA_RESP_ERR__FAIL;
    std::array<rd_kafka_vu_t, 7> arguments{};
    arguments[0].vtype = RD_KAFKA_VTYPE_RKT;
    arguments[0].u.rkt = &topic;
    arguments[1].vtype = RD_KAFKA_VTYPE_PARTITION;
    arguments[1].u.i32 = partition_;
    arguments[2].vtype = RD_KAFKA_VTYPE_VALUE;
    arguments[2].u.mem = {memory_.get(), value_.size()};
    arguments[3].vtype = RD_KAFKA_VTYPE_KEY;
    arguments[3].u.mem = {memory_.get() + value_.size(), key_.size()};
    arguments[4].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    arguments[4].u.i = RD_KAFKA_MSG_F_FREE;
    arguments[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
    arguments[5].u.ptr = delivery_.get();
    arguments[6].vtype = RD_KAFKA_VTYPE_HEADERS;
    arguments[6].u.headers = headers_.get();
    const kafka::ErrorHandle error{rd_kafka_produceva(&client, arguments.data(), arguments.size())};
    if (error) return rd_kafka_error_code(error.get());
    // All three belong to librdkafka now.
    static_cast<void>(headers_.release());
    static_cast<void>(memory_.release());
    static_cast<void>(delivery_.release());
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

std::unique_ptr<Delivery> Outgoing::failed(Published outcome) noexcept {
    delivery_->outcome = outcome;
    return std::move(delivery_);
}

std::size_t size_of(const Record& record) noexcept {
    std::size_t size = record.key.size() + record.value.size() + record_overhead;
    for (const auto& [name, value] : record.headers) size += name.size() + value.size() + header_overhead;
    return size;
}

}  // namespace sluice::publish
