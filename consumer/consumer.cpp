#include "consumer/consumer.hpp"

#include "common/crypto/random.hpp"
#include "consumer/drain_limit.hpp"
#include "consumer/publish/kafka_publisher.hpp"
#include "consumer/startup.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds stuck_after{60};

}  // namespace

Consumer::Consumer(const Config& config, Log& log, StopSignal& signal)
    : config_{config},
      log_{log},
      signal_{signal},
      operations_{
          {config.operations.host, config.operations.port}, metrics_, readiness_, [this] { return alive(); }},
      decisions_{log, metrics_},
      rules_{config.effects, config.sources, config.kafka.topic, config.inbox.payload},
      policy_{.give_up_after = config.consumer.give_up_after},
      dead_letters_{{config.kafka.topic, config.kafka.group}, config.kafka.dlq_topic},
      publisher_{kafka_publisher(config.kafka, {config.kafka.dlq_topic}, log)},
      poll_{config.kafka, {config.kafka.topic, static_cast<std::size_t>(config.consumer.buffer_bytes)},
            partitions_,  log,
            metrics_,     readiness_,
            clock_} {
    readiness_.expect("kafka", "not in the group yet");
    readiness_.expect("mysql", "not connected yet");
    readiness_.expect("dlq", "not looked at yet");
}

int Consumer::run() {
    log_.info("started", {{"operations_port", std::int64_t{operations_.port()}}});
    const WaitOrStop wait = [this](Milliseconds time) { return wait_or_stop(time); };
    if (!wait_for_database(config_, clock_, log_, readiness_, wait)) return 0;
    const auto facts = wait_for_topic(config_, poll_.client(), log_, readiness_, wait);
    if (!facts) return 0;
    start_workers(*facts);
    poll_.start(workers_);
    polling_ = true;
    const Housekeeping housekeeping{config_, poll_.client(), *facts, log_, metrics_, readiness_, clock_};
    const int status = serve(housekeeping);
    drain();
    return status;
}

bool Consumer::wait_or_stop(Milliseconds time) {
    while (true) {
        const auto event = signal_.wait(time);
        if (event != StopSignal::Event::reload) return event != StopSignal::Event::stop;
    }
}

void Consumer::start_workers(const kafka::TopicFacts& facts) {
    const std::string instance = crypto::random_hex(8);
    const Toolbox tools{rules_,   partitions_, decisions_, *publisher_, dead_letters_,
                        metrics_, readiness_,  policy_,    clock_};
    for (int i = 0; i < config_.consumer.workers; ++i) {
        const std::string name = instance + "-" + std::to_string(i);
        workers_.push_back(std::make_unique<Worker>(
            Worker::Settings{name, static_cast<std::size_t>(config_.consumer.batch)}, tools, config_.mysql,
            ClaimantName{config_.kafka.group, facts.topic_id, name}, log_));
    }
}

int Consumer::serve(const Housekeeping& housekeeping) {
    while (signal_.wait(Milliseconds{0}) != StopSignal::Event::stop) {
        poll_.turn();
        if (!poll_.fatal().empty()) {
            log_.error("fatal", {{"reason", poll_.fatal()}});
            return 1;
        }
        if (housekeeping.topic_was_replaced()) return 1;
    }
    return 0;
}

void Consumer::drain() {
    log_.info("draining", {});
    readiness_.set_unready("kafka", "draining");
    const DrainLimit limit{config_.consumer.drain_within, log_};
    for (const auto& worker : workers_) worker->ask_stop();
    for (const auto& worker : workers_) worker->stop();
    poll_.leave();
    log_.info("stopped", {});
}

bool Consumer::alive() const {
    return !polling_ || clock_.steady() - poll_.last_turn() < stuck_after;
}

}  // namespace sluice::consumer
