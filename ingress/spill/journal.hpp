#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/telemetry/log.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/spill/backlog.hpp"
#include "ingress/spill/folder.hpp"
#include "ingress/spill/segment.hpp"
#include "ingress/spill/spill_metrics.hpp"

namespace sluice::spill {

enum class Kept {
    safe,    ///< written and synced; it will be drained
    full,    ///< not written: `max` is reached, or the disk is full
    late,    ///< not written, as too much waits for the disk; or not written yet, and then it will be drained
    broken,  ///< unknown: it may be drained; the journal takes nothing more
};

/// A record on its way into the journal, shared by it and the coroutine that waits.
struct Entry {
    std::string payload;
    Backlog::Bucket bucket;
    ingress::asio::io_context& io;  ///< of the coroutine; outlives the journal's thread
    ingress::Waiter waiter{};       ///< `io`'s thread, as is the next
    std::optional<Kept> kept{};
};

/// The journal as it is written: one thread, which syncs once for all records that came meanwhile. After an
/// error of the disk that may not pass it is broken for good: a second fsync may succeed without having
/// written what the first one lost. What is in it is drained all the same.
class Journal {
public:
    static constexpr std::size_t segment_bytes = std::size_t{16} << 20;
    static constexpr std::size_t most_at_once = std::size_t{4} << 20;  ///< bytes of one sync
    static constexpr std::size_t most_waiting = std::size_t{64} << 20;

    /// A segment as the drain sees it.
    struct Part {
        SegmentNumber number;
        std::size_t bytes;  ///< that are synced
        bool is_found;      ///< an earlier process wrote it: its end may be torn
    };

    /// Everything given outlives it. Throws std::filesystem::filesystem_error where the folder cannot be
    /// read.
    Journal(const Folder& folder, std::size_t max_bytes, Backlog& backlog, Log& log, SpillMetrics& metrics);
    ~Journal() { stop(); }
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    void start();
    /// What waits is written first.
    void stop();

    /// Wakes the entry's waiter with what became of it. Any thread.
    void append(std::shared_ptr<Entry> entry);

    [[nodiscard]] std::vector<Part> parts() const;  ///< the oldest first; any thread
    [[nodiscard]] std::size_t bytes() const;
    /// Everything in the first `bytes` of this segment is in Kafka: it goes, where nothing came after them.
    /// What is damaged is set aside. Any thread.
    void retire(SegmentNumber number, std::size_t bytes, bool is_damaged);
    /// The disk has failed. Any thread.
    void break_for_good(std::string_view what, std::error_code error);

private:
    struct Drained {
        SegmentNumber number;
        std::size_t bytes;
        bool is_damaged;
    };
    using Batch = std::vector<std::shared_ptr<Entry>>;

    void run();
    [[nodiscard]] Batch next_batch();
    [[nodiscard]] Kept write(const Batch& batch);
    [[nodiscard]] Kept open_segment();
    [[nodiscard]] Kept judge(std::string_view what, std::error_code error);
    void answer(const Batch& batch, Kept kept);
    void remove(const Drained& drained);

    const Folder& folder_;
    const std::size_t max_bytes_;
    Backlog& backlog_;
    Log& log_;
    SpillMetrics& metrics_;

    mutable std::mutex mutex_;
    std::condition_variable work_;
    std::deque<std::shared_ptr<Entry>> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::vector<Drained> drained_;
    std::vector<Part> parts_;
    bool stopping_ = false;

    std::atomic<bool> is_broken_{false};
    std::optional<Segment> current_;  // the own thread's, as is the next
    SegmentNumber next_number_;
    std::thread thread_;
};

}  // namespace sluice::spill
