#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "ingress/dedup/deduplicator.hpp"
#include "ingress/publish/publisher.hpp"

namespace sluice::ingress {

/// Time that a test moves. Thread-safe.
class FakeClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] SteadyTime steady() const override;
    void advance(std::chrono::milliseconds by);

private:
    mutable std::mutex mutex_;
    std::chrono::microseconds since_start_{0};
};

/// What was handed to Kafka, and what Kafka says of it. Thread-safe.
class FakeKafka final : public publish::Publisher {
public:
    struct Kept {
        publish::Topic topic;
        std::string key;
        std::string value;
        std::vector<std::pair<std::string, std::string>> headers;
        SteadyTime answer_by;

        [[nodiscard]] std::string header(std::string_view name) const;
    };

    [[nodiscard]] Task<publish::Published> publish(const publish::Record& record,
                                                   SteadyTime answer_by) override;

    void answer_with(publish::Published outcome);
    [[nodiscard]] std::vector<Kept> kept() const;

private:
    mutable std::mutex mutex_;
    publish::Published outcome_ = publish::Published::stored;
    std::vector<Kept> kept_;
};

/// What Redis is made to know, and what it was told. Thread-safe.
class FakeRedis final : public dedup::Deduplicator {
public:
    [[nodiscard]] Task<dedup::Claim> claim(const dedup::Marker& marker) override;
    void confirm(const dedup::Marker& marker) override;
    void use_epoch(const std::string&) override {}

    void answer_with(dedup::Claim claim);
    [[nodiscard]] int claims() const;
    [[nodiscard]] int confirmed() const;

private:
    mutable std::mutex mutex_;
    dedup::Claim claim_ = dedup::Claim::fresh;
    int claims_ = 0;
    int confirmed_ = 0;
};

}  // namespace sluice::ingress
