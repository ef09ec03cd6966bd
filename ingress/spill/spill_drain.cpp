#include "ingress/spill/spill_drain.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "common/failpoint.hpp"

namespace sluice::spill {

using publish::Published;

namespace {

std::string_view name_of(publish::Topic topic) {
    if (topic == publish::Topic::events) return "events";
    return topic == publish::Topic::quarantine ? "quarantine" : "originals";
}

}  // namespace

SpillDrain::SpillDrain(ingress::asio::io_context& io, Edges edges, const Folder& folder, Journal& journal,
                       Backlog& backlog, const Clock& clock, Log& log, SpillMetrics& metrics)
    : io_{io},
      edges_{std::move(edges)},
      folder_{folder},
      journal_{journal},
      backlog_{backlog},
      clock_{clock},
      log_{log},
      metrics_{metrics} {}

void SpillDrain::count_found() {
    std::int64_t segments = 0;
    for (const Journal::Part& part : journal_.parts()) {
        if (!part.is_found) continue;
        ++segments;
        while (!is_stopping_ && !count(part) && !draining_[part.number].is_left_out)
            std::this_thread::sleep_for(next_pass_after);
        if (is_stopping_) return;
    }
    if (segments > 0)
        log_.warn("spill_found",
                  {{"records", static_cast<std::int64_t>(backlog_.records())}, {"segments", segments}});
    backlog_.counted();
}

bool SpillDrain::count(const Journal::Part& part) {
    const Draining* draining = draining_of(part);
    const auto bytes = draining == nullptr ? std::nullopt : read(part);
    if (!bytes) return false;
    std::size_t at = 0;
    while (const auto frame = next_frame(*bytes, draining->mark, at)) {
        at = frame->end;
        const auto record = SpilledRecord::from(frame->payload);
        if (!record) continue;
        backlog_.add(Backlog::bucket_of(record->key()));
        if (record->topic() == publish::Topic::originals) edges_.needs_originals();
    }
    return true;
}

ingress::Task<void> SpillDrain::run() {
    ingress::Timer timer{io_};
    while (!is_stopping_) {
        const bool held_any = backlog_.records() > 0;
        co_await pass();
        if (held_any && backlog_.records() == 0) log_.info("spill_drained", {});
        timer.expires_after(pause());
        co_await timer.async_wait(ingress::use_task);
    }
}

SteadyTime::duration SpillDrain::pause() const noexcept {
    if (!failed_.empty()) return next_pass_after;
    return backlog_.records() > 0 ? next_look_after : look_every;
}

ingress::Task<void> SpillDrain::pass() {
    failed_.clear();
    stored_ = 0;
    said_stuck_ = false;
    const auto parts = journal_.parts();
    std::erase_if(draining_, [&](const auto& one) {
        return !std::ranges::contains(parts, one.first, &Journal::Part::number);
    });
    for (const Journal::Part& part : parts) {
        if (gives_up()) break;
        const bool is_read = co_await drain(part);
        if (!is_read) break;
        retire_drained();
    }
    while (!on_their_way_.empty()) co_await one_ended_.wait();
    retire_drained();
}

/// Nothing gets through: what comes later would only be asked for nothing, and be read for it.
bool SpillDrain::gives_up() const noexcept {
    return is_stopping_ || (stored_ == 0 && failed_.size() >= most_on_their_way);
}

/// nullptr: it cannot be read.
SpillDrain::Draining* SpillDrain::draining_of(const Journal::Part& part) {
    Draining& draining = draining_[part.number];
    if (draining.progress.until() > 0) return &draining;
    const auto head = read_segment(folder_, part.number, 0, head_size);
    if (!head) {
        judge_unread(part, head.error());
        return nullptr;
    }
    if (const auto mark = mark_of(*head)) {
        draining.mark = *mark;
        draining.progress.done(0, head_size);
    } else {
        skip(part, draining, 0, part.bytes, false);
    }
    return &draining;
}

/// The rest of it that is not drained.
std::optional<std::string> SpillDrain::read(const Journal::Part& part) {
    const std::size_t from = draining_[part.number].progress.until();
    auto bytes = read_segment(folder_, part.number, from, part.bytes);
    if (bytes) return std::move(*bytes);
    judge_unread(part, bytes.error());
    return std::nullopt;
}

/// What the disk does not give is left to people: nobody knows which keys would have to wait for it.
void SpillDrain::judge_unread(const Journal::Part& part, std::error_code error) {
    if (may_pass(error)) return;
    draining_[part.number].is_left_out = true;
    backlog_.left_some_out();
    journal_.break_for_good("read a segment", error);
}

ingress::Task<bool> SpillDrain::drain(Journal::Part part) {
    if (draining_[part.number].is_left_out) co_return true;
    Draining* draining = draining_of(part);
    if (draining == nullptr) co_return draining_[part.number].is_left_out;
    if (draining->progress.until() >= part.bytes) co_return true;
    const std::size_t from = draining->progress.until();
    const auto bytes = read(part);
    if (!bytes) co_return draining->is_left_out;
    std::size_t at = 0;
    while (const auto frame = next_frame(*bytes, draining->mark, at)) {
        skip(part, *draining, from + at, from + frame->begin, false);
        at = frame->end;
        if (draining->progress.is_done(from + frame->begin)) continue;
        auto record = SpilledRecord::from(frame->payload);
        if (!record) {
            skip(part, *draining, from + frame->begin, from + frame->end, false);
            continue;
        }
        const KeyHash key = std::hash<std::string_view>{}(record->key());
        co_await wait_for_turn(key);
        if (gives_up()) co_return true;
        if (failed_.contains(key)) continue;
        on_their_way_.insert(key);
        ingress::asio::co_spawn(
            io_.get_executor(),
            drain_one(part.number, from + frame->begin, from + frame->end, std::move(*record), key), rethrow);
    }
    // A process that was killed while it wrote leaves half a record.
    const bool is_half = part.is_found && is_torn(std::string_view{*bytes}.substr(at), draining->mark);
    skip(part, *draining, from + at, part.bytes, is_half);
    co_return true;
}

ingress::Task<void> SpillDrain::wait_for_turn(KeyHash key) {
    while (on_their_way_.contains(key) || on_their_way_.size() >= most_on_their_way)
        co_await one_ended_.wait();
}

ingress::Task<void> SpillDrain::drain_one(SegmentNumber number, std::size_t begin, std::size_t end,
                                          SpilledRecord spilled, KeyHash key) {
    const publish::Record record = spilled.record();
    Published published = co_await edges_.publisher.publish(record, clock_.steady() + acked_within);
    if (FP("ingress.spill_after_drain_ack")) published = Published::not_acked;
    on_their_way_.erase(key);
    if (published == Published::stored) {
        ++stored_;
        draining_[number].progress.done(begin, end);
        backlog_.remove(Backlog::bucket_of(key));
        metrics_.drained.Increment();
        if (record.marker) edges_.confirm(*record.marker);
    } else {
        failed_.insert(key);
        if (published == Published::too_large) say_stuck(record);
    }
    one_ended_.wake();
}

/// `is_torn`: nobody has been answered for it.
void SpillDrain::skip(const Journal::Part& part, Draining& draining, std::size_t begin, std::size_t end,
                      bool is_torn) {
    if (begin == end || draining.progress.is_done(begin)) return;
    draining.progress.done(begin, end);
    const std::string file = folder_.path_of(part.number).string();
    const std::initializer_list<LogField> fields{{"file", std::string_view{file}},
                                                 {"bytes", static_cast<std::int64_t>(end - begin)}};
    if (is_torn) return log_.info("spill_torn_end", fields);
    draining.is_damaged = true;
    metrics_.damaged_bytes.Increment(static_cast<double>(end - begin));
    log_.error("spill_damaged", fields);
}

void SpillDrain::retire_drained() {
    for (const Journal::Part& part : journal_.parts()) {
        const auto draining = draining_.find(part.number);
        if (draining == draining_.end() || draining->second.progress.until() < part.bytes) continue;
        journal_.retire(part.number, part.bytes, draining->second.is_damaged);
    }
}

void SpillDrain::say_stuck(const publish::Record& record) {
    if (std::exchange(said_stuck_, true)) return;
    log_.error("spill_stuck", {{"topic", name_of(record.topic)},
                               {"error", std::string_view{"the topic does not take a record of this size"}},
                               {"bytes", static_cast<std::int64_t>(record.value.size())}});
}

}  // namespace sluice::spill
