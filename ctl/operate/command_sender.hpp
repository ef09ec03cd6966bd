#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "consumer/command/signature.hpp"
#include "ctl/operate/command_pages.hpp"

namespace sluice::ctl {

/// Where commands of this installation count. Throws Stopped when no broker answers or the topic is not
/// there.
[[nodiscard]] command::Place command_place(const config::KafkaSettings& settings);

/// Produces commands to kafka.command_topic: idempotent, acks=all, so that each is there once and those of
/// one key stay in order. Each is signed for that topic and group where there is a key. One thread; a failure
/// is kept and thrown by the next call.
class CommandSender {
public:
    /// Throws Stopped as command_place does.
    /// `key` may be null and outlives this.
    CommandSender(const config::KafkaSettings& settings, const command::OperatorKey* key);
    ~CommandSender();
    CommandSender(const CommandSender&) = delete;
    CommandSender& operator=(const CommandSender&) = delete;

    /// Hands it over; waits only while the client's queue is full. Throws Stopped once any record has failed.
    void send(std::string_view key, std::string_view value);
    /// The same for a command of two operators. There has to be a key.
    void approve(std::string_view key, const Approved& approved);
    /// Until every record has its report. Throws Stopped when one has failed or `patience` is over.
    void flush(std::chrono::milliseconds patience);
    /// Records that the broker has.
    [[nodiscard]] std::int64_t delivered() const noexcept;

private:
    struct Reports;
    void stop_if_failed();
    using Headers = std::vector<std::pair<std::string_view, std::string_view>>;
    void produce(std::string_view key, std::string_view value, const Headers& headers);
    [[nodiscard]] rd_kafka_resp_err_t hand_over(std::string_view key, std::string_view value,
                                                const Headers& headers);

    std::string topic_;
    command::Place place_;
    const command::OperatorKey* key_;
    std::unique_ptr<Reports> reports_;  // on the heap: the client keeps its address
    kafka::Client client_;
};

}  // namespace sluice::ctl
