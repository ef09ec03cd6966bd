#include "command/hot/line_watch.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "common/thread_name.hpp"
#include "consumer/group/member_client.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds between_looks{20};
constexpr Milliseconds answer_within{500};

Log& log_given(void* self) {
    return *static_cast<Log*>(self);
}

consumer::MemberSettings asking_member(const std::string& group) {
    return {.name = "sluice-command-look-ups",
            .group = group,
            .assignors = "range,roundrobin",
            .offset_reset = "error",
            .fetching = {}};
}

}  // namespace

bool has_passed(const TopicEnds& booked, const TopicEnds& ends) {
    return std::ranges::all_of(ends, [&](const auto& end) {
        const auto found = booked.find(end.first);
        return end.second == 0 || (found != booked.end() && found->second >= end.second);
    });
}

LineWatch::LineWatch(const LineSettings& settings, Log& log, const Clock& clock)
    : settings_{settings},
      clock_{clock},
      log_{log},
      client_{consumer::make_member_client(settings.kafka, asking_member(settings.group), &log_, nullptr,
                                           log_given)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void LineWatch::close() {
    {
        const std::lock_guard lock{mutex_};
        if (std::exchange(is_closed_, true)) return;
    }
    thread_.request_stop();
    thread_.join();
    questions_.splice(questions_.end(), asked_);
    for (const Question& one : questions_) one.told(false);
}

void LineWatch::when_passed(SteadyTime until, Passed told) {
    {
        const std::lock_guard lock{mutex_};
        if (!is_closed_) {
            asked_.push_back({.until = until, .told = std::move(told)});
            wake_.notify_one();
            return;
        }
    }
    told(false);
}

void LineWatch::run(const std::stop_token& stop) {
    name_this_thread("line-watch");
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock{mutex_};
            const auto is_asked = [this] { return !asked_.empty(); };
            if (questions_.empty())
                (void)wake_.wait(lock, stop, is_asked);
            else
                (void)wake_.wait_for(lock, stop, between_looks, is_asked);
            questions_.splice(questions_.end(), asked_);
        }
        if (!stop.stop_requested()) look();
    }
}

/// The ends first: what was accepted before they were asked for stands below them.
void LineWatch::look() {
    if (std::ranges::any_of(questions_, [](const Question& one) { return !one.ends; })) take_ends();
    tell(booked());
}

void LineWatch::take_ends() {
    const auto ends = consumer::read_topic_ends(*client_, settings_.kafka.topic, answer_within);
    // A partition without a leader is left out, and may have what is asked for.
    if (!ends || ends->size() < partitions_) return;
    partitions_ = ends->size();
    for (Question& one : questions_)
        if (!one.ends) one.ends = *ends;
}

std::optional<TopicEnds> LineWatch::booked() {
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(partitions_))};
    for (std::size_t i = 0; i < partitions_; ++i)
        rd_kafka_topic_partition_list_add(list.get(), settings_.kafka.topic.c_str(),
                                          static_cast<std::int32_t>(i));
    const auto code = rd_kafka_committed(client_.get(), list.get(), static_cast<int>(answer_within.count()));
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
    TopicEnds booked;
    for (const auto& one : std::span{list->elems, static_cast<std::size_t>(list->cnt)})
        if (one.err == RD_KAFKA_RESP_ERR_NO_ERROR && one.offset >= 0)
            booked.emplace(one.partition, one.offset);
    return booked;
}

void LineWatch::tell(const std::optional<TopicEnds>& booked) {
    const SteadyTime now = clock_.steady();
    for (auto at = questions_.begin(); at != questions_.end();) {
        const bool is_passed = booked && at->ends && has_passed(*booked, *at->ends);
        if (!is_passed && now < at->until) {
            ++at;
            continue;
        }
        at->told(is_passed);
        at = questions_.erase(at);
    }
}

}  // namespace sluice::command
