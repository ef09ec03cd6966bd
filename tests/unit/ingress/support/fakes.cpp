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

Task<publish::Published> FakeKafka::publish(const publish::Record& record, SteadyTime answer_by) {
    const std::scoped_lock lock{mutex_};
    if (outcome_ == publish::Published::stored) {
        Kept kept{record.topic, std::string{record.key}, std::string{record.value}, {}, answer_by};
        for (const auto& [name, value] : record.headers) kept.headers.emplace_back(name, value);
        kept_.push_back(std::move(kept));
    }
    co_return outcome_;
}

void FakeKafka::answer_with(publish::Published outcome) {
    const std::scoped_lock lock{mutex_};
    outcome_ = outcome;
}

std::vector<FakeKafka::Kept> FakeKafka::kept() const {
    const std::scoped_lock lock{mutex_};
    return kept_;
}

Task<dedup::Claim> FakeRedis::claim(const dedup::Marker&) {
    const std::scoped_lock lock{mutex_};
    ++claims_;
    co_return claim_;
}

void FakeRedis::confirm(const dedup::Marker&) {
    const std::scoped_lock lock{mutex_};
    ++confirmed_;
}

void FakeRedis::answer_with(dedup::Claim claim) {
    const std::scoped_lock lock{mutex_};
    claim_ = claim;
}

int FakeRedis::claims() const {
    const std::scoped_lock lock{mutex_};
    return claims_;
}

int FakeRedis::confirmed() const {
    const std::scoped_lock lock{mutex_};
    return confirmed_;
}

}  // namespace sluice::ingress
