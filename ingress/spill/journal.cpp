#include "ingress/spill/journal.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <boost/asio/post.hpp>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"

namespace sluice::spill {

Journal::Journal(const Folder& folder, std::size_t max_bytes, Backlog& backlog, Log& log,
                 SpillMetrics& metrics)
    : folder_{folder},
      max_bytes_{max_bytes},
      backlog_{backlog},
      log_{log},
      metrics_{metrics},
      next_number_{folder.next_number()} {
    for (const SegmentNumber number : folder_.segments()) {
        const std::size_t size = std::filesystem::file_size(folder_.path_of(number));
        // Its head is synced before anything is written behind it.
        if (size <= head_size)
            static_cast<void>(folder_.remove(number));
        else
            parts_.push_back({number, size, true});
    }
}

void Journal::start() {
    thread_ = std::thread{[this] { run(); }};
}

void Journal::stop() {
    {
        const std::scoped_lock lock{mutex_};
        stopping_ = true;
    }
    work_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Journal::append(std::shared_ptr<Entry> entry) {
    backlog_.add(entry->bucket);
    {
        const std::scoped_lock lock{mutex_};
        if (!stopping_ && waiting_bytes_ + entry->payload.size() <= most_waiting) {
            waiting_bytes_ += entry->payload.size();
            waiting_.push_back(std::move(entry));
            work_.notify_one();
            return;
        }
    }
    answer({std::move(entry)}, Kept::late);
}

std::vector<Journal::Part> Journal::parts() const {
    const std::scoped_lock lock{mutex_};
    return parts_;
}

std::size_t Journal::bytes() const {
    const std::scoped_lock lock{mutex_};
    std::size_t bytes = 0;
    for (const Part& part : parts_) bytes += part.bytes;
    return bytes;
}

void Journal::retire(SegmentNumber number, std::size_t bytes, bool is_damaged) {
    {
        const std::scoped_lock lock{mutex_};
        drained_.push_back({number, bytes, is_damaged});
    }
    work_.notify_one();
}

void Journal::break_for_good(std::string_view what, std::error_code error) {
    metrics_.broken.Set(1);
    if (is_broken_.exchange(true)) return;
    const std::string why = error.message();
    log_.error("spill_broken", {{"what", what}, {"error", std::string_view{why}}});
}

void Journal::run() {
    name_this_thread("spill-journal");
    std::unique_lock lock{mutex_};
    while (true) {
        work_.wait(lock, [this] { return stopping_ || !waiting_.empty() || !drained_.empty(); });
        const auto drained = std::exchange(drained_, {});
        const Batch batch = next_batch();
        if (drained.empty() && batch.empty()) return;
        lock.unlock();
        for (const Drained& one : drained) remove(one);
        if (!batch.empty()) answer(batch, write(batch));
        lock.lock();
    }
}

Journal::Batch Journal::next_batch() {
    Batch batch;
    std::size_t bytes = 0;
    while (!waiting_.empty() && (batch.empty() || bytes + waiting_.front()->payload.size() <= most_at_once)) {
        bytes += waiting_.front()->payload.size();
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    waiting_bytes_ -= bytes;
    return batch;
}

Kept Journal::write(const Batch& batch) {
    if (is_broken_) return Kept::broken;
    std::size_t size = 0;
    for (const auto& entry : batch) size += frame_size(entry->payload);
    if (bytes() + size > max_bytes_) return Kept::full;
    if (current_ && current_->size() >= segment_bytes) current_.reset();
    if (!current_) {
        if (const Kept opened = open_segment(); opened != Kept::safe) return opened;
    }
    std::string frames;
    frames.reserve(size);
    for (const auto& entry : batch) append_frame(frames, current_->mark(), entry->payload);
    if (FP("ingress.spill_before_write")) return Kept::full;
    if (const auto written = current_->append(frames); !written) return judge("write", written.error());
    if (FP("ingress.spill_before_sync")) return judge("sync", std::make_error_code(std::errc::io_error));
    if (const auto synced = current_->sync(); !synced) {
        break_for_good("sync", synced.error());
        return Kept::broken;
    }
    const std::scoped_lock lock{mutex_};
    parts_.back().bytes = current_->size();
    return Kept::safe;
}

Kept Journal::open_segment() {
    auto made = Segment::create(folder_, next_number_);
    if (!made) return judge("begin a segment", made.error());
    current_ = std::move(*made);
    const std::scoped_lock lock{mutex_};
    parts_.push_back({next_number_++, current_->size(), false});
    return Kept::safe;
}

Kept Journal::judge(std::string_view what, std::error_code error) {
    if (may_pass(error)) return Kept::full;
    break_for_good(what, error);
    return Kept::broken;
}

void Journal::answer(const Batch& batch, Kept kept) {
    static_cast<void>(FP("ingress.spill_before_answer"));
    for (const auto& entry : batch) {
        if (kept == Kept::safe)
            metrics_.spilled.Increment();
        else
            backlog_.remove(entry->bucket);
        ingress::asio::post(entry->io, [entry, kept] {
            entry->kept = kept;
            entry->waiter.wake();
        });
    }
}

/// Without a sync of the folder: a segment that comes back after a power cut is drained again, and everything
/// in it is a duplicate.
void Journal::remove(const Drained& drained) {
    {
        const std::scoped_lock lock{mutex_};
        const auto part = std::ranges::find(parts_, drained.number, &Part::number);
        if (part == parts_.end() || part->bytes != drained.bytes) return;
        parts_.erase(part);
    }
    if (current_ && current_->number() == drained.number) current_.reset();
    static_cast<void>(FP("ingress.spill_before_remove"));
    const auto removed =
        drained.is_damaged ? folder_.set_aside(drained.number) : folder_.remove(drained.number);
    if (!removed) break_for_good("remove a segment", removed.error());
}

}  // namespace sluice::spill
