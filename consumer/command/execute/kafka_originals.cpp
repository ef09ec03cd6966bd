#include "consumer/command/execute/kafka_originals.hpp"

#include <algorithm>
#include <mutex>

#include "common/config/problems.hpp"
#include "common/crypto/encoding.hpp"
#include "common/kafka/client_config.hpp"
#include "common/kafka/handle.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds search_within{4'000};
// A record carries the time of its writing, by the ingress's clock or by the broker's. It may be written long
// after it was received: from a journal (ingress/spill).
constexpr Milliseconds written_before{10'000};

std::int64_t unix_ms(WallTime time) {
    return std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()).count();
}

Log& log_of_originals(void* opaque) {
    return *static_cast<Log*>(opaque);
}

kafka::Client make_reader(const config::KafkaSettings& settings, Log& log) {
    kafka::Conf conf = kafka::client_config(settings, "sluice-consumer-originals");
    kafka::set(*conf, "enable.auto.commit", "false");
    kafka::set(*conf, "enable.partition.eof", "true");
    // It reads for a moment now and then: what it fetches ahead is thrown away, and an end waits for the
    // question on its way.
    kafka::set(*conf, "fetch.wait.max.ms", "20");
    kafka::set(*conf, "queued.max.messages.kbytes", "8192");
    rd_kafka_conf_set_opaque(conf.get(), &log);
    kafka::send_logs_to(*conf, log_of_originals);
    auto client = kafka::make_client(RD_KAFKA_CONSUMER, std::move(conf), settings);
    if (!client) throw config::Refused{"Kafka reader of originals: " + client.error()};
    return std::move(*client);
}

/// One partition, read from an offset on for as long as this lives.
class OriginalsRead {
public:
    OriginalsRead(rd_kafka_topic_t& topic, std::int32_t partition, std::int64_t offset)
        : topic_{topic},
          partition_{partition},
          started_{rd_kafka_consume_start(&topic, partition, offset) == 0} {}
    ~OriginalsRead() {
        if (started_) rd_kafka_consume_stop(&topic_, partition_);
    }
    OriginalsRead(const OriginalsRead&) = delete;
    OriginalsRead& operator=(const OriginalsRead&) = delete;

    /// Null when there is no more, or not in time.
    [[nodiscard]] kafka::Message next(Milliseconds within) const {
        if (!started_) return nullptr;
        kafka::Message message{rd_kafka_consume(&topic_, partition_, static_cast<int>(within.count()))};
        if (message && message->err != RD_KAFKA_RESP_ERR_NO_ERROR) message.reset();
        return message;
    }

private:
    rd_kafka_topic_t& topic_;
    std::int32_t partition_;
    bool started_;
};

class KafkaOriginals final : public Originals {
public:
    KafkaOriginals(const config::KafkaSettings& settings, const Clock& clock, Log& log)
        : name_{settings.originals_topic},
          clock_{clock},
          log_{log},
          client_{make_reader(settings, log)},
          topic_{rd_kafka_topic_new(client_.get(), name_.c_str(), nullptr)} {}

    std::optional<std::string> find(const crypto::Digest& digest, WallTime received_at) override {
        const std::lock_guard lock{mutex_};
        const SteadyTime end = clock_.steady() + search_within;
        const std::string key = crypto::to_hex(digest);
        const auto partition = partition_of(key, left_until(end));
        const auto start =
            partition ? first_offset(*partition, received_at - written_before, end) : std::nullopt;
        if (!start) return std::nullopt;
        const OriginalsRead read{*topic_, *partition, *start};
        while (const auto message = read.next(left_until(end))) {
            const std::string_view body{static_cast<const char*>(message->payload), message->len};
            if (is_keyed(*message, key) && crypto::sha256(body) == digest) return std::string{body};
        }
        if (left_until(end) == Milliseconds{0}) return cannot_ask(RD_KAFKA_RESP_ERR__TIMED_OUT);
        return std::nullopt;
    }

private:
    [[nodiscard]] Milliseconds left_until(SteadyTime end) const {
        const auto left = std::chrono::duration_cast<Milliseconds>(end - clock_.steady());
        return std::max(left, Milliseconds{0});
    }

    static bool is_keyed(const rd_kafka_message_t& message, std::string_view key) {
        return message.key != nullptr &&
               std::string_view{static_cast<const char*>(message.key), message.key_len} == key;
    }

    /// It is as if it were not there; the log tells the two apart.
    std::nullopt_t cannot_ask(rd_kafka_resp_err_t code) {
        log_.warn("originals_not_read", {{"topic", name_}, {"reason", rd_kafka_err2str(code)}});
        return std::nullopt;
    }

    std::optional<std::int32_t> partition_of(std::string_view key, Milliseconds within) {
        const rd_kafka_metadata_t* answer = nullptr;
        const auto code =
            rd_kafka_metadata(client_.get(), 0, topic_.get(), &answer, static_cast<int>(within.count()));
        const kafka::Metadata metadata{answer};
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return cannot_ask(code);
        if (metadata->topic_cnt != 1) return std::nullopt;
        const int partitions = metadata->topics[0].partition_cnt;
        if (partitions == 0) return std::nullopt;
        return rd_kafka_msg_partitioner_murmur2(topic_.get(), key.data(), key.size(), partitions, nullptr,
                                                nullptr);
    }

    /// Of the first record that was written then or later.
    std::optional<std::int64_t> first_offset(std::int32_t partition, WallTime written, SteadyTime end) {
        const kafka::PartitionList list{rd_kafka_topic_partition_list_new(1)};
        auto& asked = *rd_kafka_topic_partition_list_add(list.get(), name_.c_str(), partition);
        asked.offset = std::max<std::int64_t>(unix_ms(written), 0);
        const auto code =
            rd_kafka_offsets_for_times(client_.get(), list.get(), static_cast<int>(left_until(end).count()));
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return cannot_ask(code);
        if (asked.err != RD_KAFKA_RESP_ERR_NO_ERROR) return cannot_ask(asked.err);
        if (asked.offset < 0) return std::nullopt;
        return asked.offset;
    }

    std::string name_;
    const Clock& clock_;
    Log& log_;
    std::mutex mutex_;
    kafka::Client client_;
    kafka::Topic topic_;
};

}  // namespace

std::unique_ptr<Originals> kafka_originals(const config::KafkaSettings& settings, const Clock& clock,
                                           Log& log) {
    return std::make_unique<KafkaOriginals>(settings, clock, log);
}

}  // namespace sluice::consumer
