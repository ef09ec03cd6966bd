#pragma once

#include <deque>
#include <functional>
#include <map>
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

    [[nodiscard]] Task<publish::Published> publish(publish::Record record, SteadyTime answer_by) override;

    void answer_with(publish::Published outcome);
    void answer_to(const std::string& value, publish::Published outcome);  ///< of this record alone
    [[nodiscard]] std::vector<Kept> kept() const;

private:
    mutable std::mutex mutex_;
    publish::Published outcome_ = publish::Published::stored;
    std::map<std::string, publish::Published> outcomes_;
    std::vector<Kept> kept_;
};

/// What Redis is made to know, and what it was told. Thread-safe.
class FakeRedis final : public dedup::Deduplicator {
public:
    [[nodiscard]] Task<dedup::Claim> claim(const dedup::Marker& marker, dedup::Counting* counting) override;
    void release(const dedup::Marker& marker) override;
    void take_back(const dedup::Counting& counting) override;
    void confirm(const dedup::Marker& marker) override;
    void use_epoch(const std::string&) override {}

    void answer_with(dedup::Claim claim);
    void answer_to(const dedup::Marker& marker, dedup::Claim claim);  ///< of this event alone
    void count_as_over(std::size_t number);  ///< of the limits that come with a claim
    [[nodiscard]] std::vector<dedup::Counting> counted() const;
    [[nodiscard]] int released() const;
    [[nodiscard]] int taken_back() const;
    [[nodiscard]] int claims() const;
    [[nodiscard]] int confirmed() const;
    [[nodiscard]] std::vector<crypto::Digest> confirmed_keys() const;

private:
    mutable std::mutex mutex_;
    dedup::Claim claim_ = dedup::Claim::fresh;
    int claims_ = 0;
    int released_ = 0;
    int taken_back_ = 0;
    std::optional<std::size_t> over_;
    std::vector<dedup::Counting> counted_;
    std::map<crypto::Digest, dedup::Claim> claims_by_key_;
    std::vector<crypto::Digest> confirmed_;
};

}  // namespace sluice::ingress
