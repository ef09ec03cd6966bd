#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>

#include "common/kafka/handle.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/publish/report_queue.hpp"

namespace sluice::publish {

/// One record with its own memory, ready to be given to librdkafka now or after others.
class Outgoing {
public:
    Outgoing(const Record& record, std::int32_t partition, std::unique_ptr<Delivery> delivery);

    /// The one call that puts a record into librdkafka's hands. RD_KAFKA_RESP_ERR_NO_ERROR: it owns
    /// everything and will report through the delivery. Otherwise nothing was sent and all is ours.
    [[nodiscard]] rd_kafka_resp_err_t hand_over(rd_kafka_t& client, rd_kafka_topic_t& topic);

    [[nodiscard]] Delivery& delivery() noexcept { return *delivery_; }
    /// The report of a record that will never be sent.
    [[nodiscard]] std::unique_ptr<Delivery> failed(Published outcome) noexcept;

private:
    struct Release {
        void operator()(char* memory) const noexcept { std::free(memory); }
    };
    std::int32_t partition_;
    std::unique_ptr<char, Release> memory_;  // value, then key; librdkafka frees it
    std::string_view value_;
    std::string_view key_;
    kafka::Headers headers_;
    std::unique_ptr<Delivery> delivery_;
};

/// What a record takes in a batch, as the broker will count it, rounded up.
[[nodiscard]] std::size_t size_of(const Record& record) noexcept;

}  // namespace sluice::publish
