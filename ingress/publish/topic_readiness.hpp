#pragma once

#include <string>
#include <system_error>

#include "common/telemetry/log.hpp"
#include "common/telemetry/readiness.hpp"

namespace sluice::publish {

/// What looks at the topics mean for the concern "kafka"; each change is logged once. A topic that is missing
/// or below configuration or that we may not see is not ready, and so is anything before the first good look.
/// Where topics were good and Kafka does not answer any more, Kafka is degraded: the process keeps its
/// traffic, because it answers 503 with Retry-After itself, which what stands in front of it cannot, and
/// takes webhooks again as soon as the broker is back (docs/decisions/0084-ready-while-kafka-is-away.md). One
/// thread.
class TopicReadiness {
public:
    /// `first`: why nothing is known yet.
    TopicReadiness(Log& log, Readiness& readiness, std::string first);

    /// Before any look: topics were good when an earlier process ran, and Kafka may have gone since.
    void expect_outage();

    void good();
    void wrong(const std::string& why);
    /// A look that failed. Kafka is silent where nobody answered, also where librdkafka hides a refused login
    /// behind a timeout; any other error is wrong. The first silent look after a good one says nothing.
    void failed(std::error_code error, const std::string& why);
    /// Kafka is silent, and that is more than one missed look.
    [[nodiscard]] bool is_away() const noexcept { return silent_looks_ > (was_good_ ? 1 : 0); }

private:
    void silent(const std::string& why);
    void say_unready(const std::string& why);
    void log_once(const std::string& why);

    Log& log_;
    Readiness& readiness_;
    std::string said_;
    bool was_good_ = false;  // at the last look that Kafka answered
    int silent_looks_ = 0;   // since then
};

}  // namespace sluice::publish
