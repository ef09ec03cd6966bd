#include "consumer/lane/run/waiting_records.hpp"

#include <algorithm>
#include <utility>

namespace sluice::consumer {
namespace {

constexpr Backoff between_turns_of_one{Milliseconds{5}, Milliseconds{1000}};

}  // namespace

WaitingRecords::WaitingRecords(Random& random, std::function<bool(const Record&)> is_held)
    : random_{random}, is_held_{is_held ? std::move(is_held) : [](const Record&) { return false; }} {}

void WaitingRecords::add(Record record) {
    waiting_.push_back({.record = std::move(record)});
}

void WaitingRecords::put_off(Waiting waiting, SteadyTime now) {
    waiting.not_before = now + between_turns_of_one.after(++waiting.times, random_);
    waiting_.push_back(std::move(waiting));
}

std::optional<WaitingRecords::Waiting> WaitingRecords::take_next(SteadyTime now) {
    const auto at = std::ranges::find_if(waiting_, [&](const Waiting& waiting) {
        return waiting.not_before <= now && !is_held_(waiting.record);
    });
    if (at == waiting_.end()) return std::nullopt;
    Waiting waiting = std::move(*at);
    waiting_.erase(at);
    return waiting;
}

void WaitingRecords::drop_if(const std::function<bool(const Record&)>& is_stale) {
    std::erase_if(waiting_, [&](const Waiting& waiting) { return is_stale(waiting.record); });
}

std::optional<SteadyTime> WaitingRecords::next_due() const {
    std::optional<SteadyTime> next;
    for (const Waiting& waiting : waiting_) {
        if (!is_held_(waiting.record)) next = std::min(next.value_or(waiting.not_before), waiting.not_before);
    }
    return next;
}

}  // namespace sluice::consumer
