#include "consumer/quarantine/quarantine_reader.hpp"

#include "common/crypto/random.hpp"
#include "common/thread_name.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* concern = "quarantine_group";

LogReader::Settings quarantine_settings(const config::KafkaSettings& kafka) {
    return {.role = "quarantine",
            .concern = concern,
            .client_id = "sluice-consumer-quarantine",
            .group = kafka.group + ".retry",
            .assignors = "range",
            .topic = kafka.quarantine_topic,
            .buffer_bytes = 8 << 20};
}

}  // namespace

QuarantineReader::QuarantineReader(Process& process)
    : process_{process}, loop_{process.config.kafka, quarantine_settings(process.config.kafka),
                               partitions_,          process.log,
                               process.metrics,      process.readiness,
                               process.clock} {
    process_.readiness.expect(concern, "not in the group yet");
    Quarantine::export_counters(process_.metrics);
}

QuarantineReader::~QuarantineReader() {
    stop();
}

void QuarantineReader::start(const LaneContext& context, const std::string& topic_id) {
    const config::KafkaSettings& kafka = process_.config.kafka;
    worker_.emplace("quarantine", partitions_,
                    std::make_unique<QuarantineWork>(
                        OffsetWriter{kafka.group, topic_id, crypto::random_hex(8) + "-quarantine",
                                     kafka.quarantine_topic},
                        context, partitions_, process_.config.mysql, process_.log, process_.metrics));
    loop_.start({&*worker_});
    polling_ = true;
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void QuarantineReader::run(const std::stop_token& stop) {
    name_this_thread("quarantine-poll");
    while (!stop.stop_requested() && loop_.fatal().empty()) loop_.turn();
    if (loop_.fatal().empty()) return;
    process_.log.error("fatal", {{"reason", loop_.fatal()}});
    failed_ = true;
}

void QuarantineReader::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    worker_->stop();
    loop_.leave();
}

std::optional<SteadyTime> QuarantineReader::last_turn() const {
    if (!polling_ || failed_) return std::nullopt;
    return loop_.last_turn();
}

}  // namespace sluice::consumer
