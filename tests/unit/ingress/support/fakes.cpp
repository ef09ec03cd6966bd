#include "tests/unit/ingress/support/fakes.hpp"

#include <algorithm>

namespace sluice::ingress {

namespace {

constexpr std::chrono::seconds start_of_time{1'790'000'000};

}  // namespace

WallTime FakeClock::wall() const {
    const std::scoped_lock lock{mutex_};
    return WallTime{start_of_time + since_start_};
}

SteadyTime FakeClock::steady() const {
    const std::scoped_lock lock{mutex_};
    return SteadyTime{std::chrono::hours{1} + since_start_};
}

void FakeClock::advance(std::chrono::milliseconds by) {
    const std::scoped_lock lock{mutex_};
    since_start_ += by;
}

std::string FakeKafka::Kept::header(std::string_view name) const {
    const auto found = std::ranges::find(headers, name, [](const auto& header) { return header.first; });
    return found == headers.end() ? "" : found->second;
}

Task<publish::Published> FakeKafka::publish(publish::Record record, SteadyTime answer_by) {
    const std::scoped_lock lock{mutex_};
    const auto own = outcomes_.find(std::string{record.value});
    const publish::Published outcome = own == outcomes_.end() ? outcome_ : own->second;
    if (outcome == publish::Published::stored) {
        Kept kept{record.topic, std::string{record.key}, std::string{record.value}, {}, answer_by};
        for (const auto& [name, value] : record.headers) kept.headers.emplace_back(name, value);
        kept_.push_back(std::move(kept));
    }
    co_return outcome;
}

void FakeKafka::answer_with(publish::Published outcome) {
    const std::scoped_lock lock{mutex_};
    outcome_ = outcome;
}

void FakeKafka::answer_to(const std::string& value, publish::Published outcome) {
    const std::scoped_lock lock{mutex_};
    outcomes_[value] = outcome;
}

std::vector<FakeKafka::Kept> FakeKafka::kept() const {
    const std::scoped_lock lock{mutex_};
    return kept_;
}

Task<dedup::Claim> FakeRedis::claim(const dedup::Marker& marker, dedup::Counting* counting) {
    const std::scoped_lock lock{mutex_};
    ++claims_;
    if (counting != nullptr) {
        counting->over = over_;
        counted_.push_back(*counting);
    }
    const auto own = claims_by_key_.find(marker.key);
    co_return own == claims_by_key_.end() ? claim_ : own->second;
}

void FakeRedis::release(const dedup::Marker&) {
    const std::scoped_lock lock{mutex_};
    ++released_;
}

void FakeRedis::take_back(const dedup::Counting&) {
    const std::scoped_lock lock{mutex_};
    ++taken_back_;
}

int FakeRedis::taken_back() const {
    const std::scoped_lock lock{mutex_};
    return taken_back_;
}

void FakeRedis::count_as_over(std::size_t number) {
    const std::scoped_lock lock{mutex_};
    over_ = number;
}

std::vector<dedup::Counting> FakeRedis::counted() const {
    const std::scoped_lock lock{mutex_};
    return counted_;
}

int FakeRedis::released() const {
    const std::scoped_lock lock{mutex_};
    return released_;
}

void FakeRedis::confirm(const dedup::Marker& marker) {
    const std::scoped_lock lock{mutex_};
    confirmed_.push_back(marker.key);
}

void FakeRedis::answer_with(dedup::Claim claim) {
    const std::scoped_lock lock{mutex_};
    claim_ = claim;
}

void FakeRedis::answer_to(const dedup::Marker& marker, dedup::Claim claim) {
    const std::scoped_lock lock{mutex_};
    claims_by_key_[marker.key] = claim;
}

int FakeRedis::claims() const {
    const std::scoped_lock lock{mutex_};
    return claims_;
}

int FakeRedis::confirmed() const {
    const std::scoped_lock lock{mutex_};
    return static_cast<int>(confirmed_.size());
}

std::vector<crypto::Digest> FakeRedis::confirmed_keys() const {
    const std::scoped_lock lock{mutex_};
    return confirmed_;
}

}  // namespace sluice::ingress
