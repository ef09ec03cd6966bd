#pragma once

#include <string>
#include <string_view>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/gate/head.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ingress/request/decision_log.hpp"
#include "ingress/request/routes.hpp"

namespace sluice::stages {

/// The benchmark's webhook and the steps that ingress/request/session.cpp takes with it, each as often as it
/// is called: all but those that wait for somebody. A step that does not end as that of an accepted webhook
/// throws std::runtime_error. The same bytes and times in each process, which makes a profile of it the same.
/// One thread.
class Webhook {
public:
    Webhook();

    void read_head();       ///< where it ends, its fields, its route, the gate's word
    void verify();          ///< the signature over the raw bytes
    void extract();         ///< id, type, object, time and digest out of the body
    void encode();          ///< the record, up to librdkafka
    void log_a_decision();  ///< its line and its counters

private:
    [[nodiscard]] webhook::Request request() const;

    WallTime received_at_{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30}};
    Metrics metrics_;
    Log log_;
    ingress::DecisionCounters counters_{metrics_};
    ingress::DecisionLog decisions_{log_, counters_};
    std::string bytes_;  // one request, with room behind it that simdjson may read
    std::string_view whole_;
    ingress::Routes routes_;
    const ingress::Route* route_ = nullptr;
    network::Address client_ = *network::Address::parse("192.0.2.1");
    gate::Head head_;
    std::size_t head_size_ = 0;
    webhook::Scratch scratch_;
    std::string_view key_id_;
    webhook::JsonView json_;
    webhook::Extracted event_;
    record::EncodedHeaders headers_{HeaderForm::packed};
};

}  // namespace sluice::stages
