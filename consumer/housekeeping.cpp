#include "consumer/housekeeping.hpp"

#include <array>

#include "common/kafka/error.hpp"
#include "common/thread_name.hpp"
#include "consumer/store/applied_offset.hpp"
#include "consumer/store/maintenance.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::hours between_rounds{1};
constexpr std::chrono::minutes after_a_failure{1};
constexpr std::chrono::seconds between_looks{10};
constexpr Milliseconds question_within{5000};

}  // namespace

Housekeeping::Housekeeping(const Config& config, rd_kafka_t& client, kafka::TopicFacts facts, Log& log,
                           Metrics& metrics, Readiness& readiness, const Clock& clock)
    : config_{config},
      client_{client},
      facts_{std::move(facts)},
      log_{log},
      readiness_{readiness},
      clock_{clock},
      days_ahead_{
          metrics.gauge("sluice_consumer_inbox_days_ahead", "Whole days after today that have a partition")},
      failures_{
          metrics.counter("sluice_consumer_housekeeping_failures_total", "Rounds of retention that failed")},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Housekeeping::~Housekeeping() = default;

void Housekeeping::run(const std::stop_token& stop) {
    name_this_thread("housekeeping");
    SteadyTime next_round{};
    while (!stop.stop_requested()) {
        look_at_dlq_topic();
        if (clock_.steady() >= next_round) {
            const auto failures = failures_.Value();
            tend_inbox();
            next_round = clock_.steady() + (failures_.Value() > failures ? after_a_failure : between_rounds);
        }
        look_at_topic();
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks, [] { return false; });
    }
}

void Housekeeping::tend_inbox() {
    const auto failed = [&](const std::string& why) {
        failures_.Increment();
        log_.warn("housekeeping_failed", {{"reason", why}});
    };
    store::ServerError error;
    auto connection = store::Connection::open(config_.mysql, &error, store::maintenance_patience());
    if (!connection) return failed(error.message);
    const auto report = store::maintain(**connection, config_.inbox, clock_.wall());
    if (!report) return failed((*connection)->last_error().message);
    days_ahead_.Set(report->days_ahead);
    if (report->clocks_differ)
        return failed("our clock and MySQL's differ by more than an hour: no day is made or dropped");
    const std::array<std::string, 1> live{facts_.topic_id};
    const auto deleted = store::delete_stale_claims(**connection, config_.kafka.group, live);
    if (!deleted) return failed((*connection)->last_error().message);
    log_.info("housekeeping", {{"had_lock", report->had_lock},
                               {"days_ahead", std::int64_t{report->days_ahead}},
                               {"partitions_added", std::int64_t{report->partitions_added}},
                               {"partitions_dropped", std::int64_t{report->partitions_dropped}},
                               {"partitions_held", std::int64_t{report->partitions_held}},
                               {"undated_deleted", report->undated_deleted},
                               {"undated_forgotten", report->undated_forgotten},
                               {"selftests_deleted", report->selftests_deleted},
                               {"letters_cleared", report->letters_cleared},
                               {"letters_deleted", report->letters_deleted},
                               {"actions_deleted", report->actions_deleted},
                               {"claims_deleted", *deleted}});
}

void Housekeeping::look_at_dlq_topic() {
    const std::string& topic = config_.kafka.dlq_topic;
    const auto facts = kafka::read_topic_facts(client_, topic, question_within);
    if (facts) return readiness_.set_ready("dlq");
    const bool missing = facts.error() == kafka::make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    readiness_.set_unready("dlq",
                           missing ? "topic " + topic + " does not exist: `sluicectl topics --apply` makes it"
                                   : "topic " + topic + ": " + facts.error().message());
}

void Housekeeping::look_at_topic() {
    const auto facts = kafka::read_topic_facts(client_, config_.kafka.topic, question_within);
    if (!facts) return;
    const std::string& topic = config_.kafka.topic;
    const int before = kafka::spread_of(facts_, config_.kafka.partitions);
    const int now = kafka::spread_of(*facts, config_.kafka.partitions);
    if (facts->topic_id != facts_.topic_id) {
        if (!changed_.exchange(true))
            log_.error("topic_replaced", {{"reason", "topic " + topic + " was deleted and made anew"}});
    } else if (now != before && !changed_.exchange(true)) {
        log_.error("partitions_changed", {{"reason", kafka::spread_changed(topic, before, now)}});
    }
}

}  // namespace sluice::consumer
