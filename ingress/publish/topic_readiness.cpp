#include "ingress/publish/topic_readiness.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/kafka/error.hpp"

namespace sluice::publish {
namespace {

constexpr const char* concern = "kafka";

/// Nobody answered. Any other error is a broker's word, or our own mistake.
bool is_silence(std::error_code error) {
    constexpr std::array silence{RD_KAFKA_RESP_ERR__TRANSPORT,       RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN,
                                 RD_KAFKA_RESP_ERR__RESOLVE,         RD_KAFKA_RESP_ERR__TIMED_OUT,
                                 RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT};
    return std::ranges::any_of(silence, [&](auto code) { return error == kafka::make_error(code); });
}

}  // namespace

TopicReadiness::TopicReadiness(Log& log, Readiness& readiness, std::string first)
    : log_{log}, readiness_{readiness} {
    readiness_.expect(concern, std::move(first));
}

void TopicReadiness::expect_outage() {
    was_good_ = true;
    readiness_.set_degraded(concern, "no metadata yet");
}

void TopicReadiness::good() {
    if (!said_.empty()) log_.info("kafka_ready", {});
    said_.clear();
    was_good_ = true;
    silent_looks_ = 0;
    readiness_.set_ready(concern);
}

void TopicReadiness::wrong(const std::string& why) {
    was_good_ = false;
    silent_looks_ = 0;
    say_unready(why);
}

void TopicReadiness::say_unready(const std::string& why) {
    readiness_.set_unready(concern, why);
    log_once(why);
}

void TopicReadiness::failed(std::error_code error, const std::string& why) {
    if (is_silence(error))
        silent(why);
    else
        wrong(why);
}

void TopicReadiness::silent(const std::string& why) {
    ++silent_looks_;
    if (!is_away()) return;
    if (!was_good_) return say_unready(why);
    readiness_.set_degraded(concern, why);
    log_once(why);
}

void TopicReadiness::log_once(const std::string& why) {
    if (said_ == why) return;
    log_.error("kafka_not_ready", {{"why", std::string_view{why}}});
    said_ = why;
}

}  // namespace sluice::publish
