#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/publish/publisher.hpp"

namespace sluice::publish {

class ReportQueue;
class PartitionQueue;

/// A coroutine that waits for its record. Lives in the coroutine's frame.
struct Awaited {
    ingress::Waiter waiter;
    std::optional<Published> outcome;
};

/// One record between `send` and its report. Owned by the holder of the record: the gathering queue,
/// librdkafka (as the message's opaque), the reports.
struct Delivery {
    ReportQueue* reports;
    std::optional<dedup::Marker> marker;
    Awaited* awaited = nullptr;       ///< io_context's thread only; null once the waiter has gone on
    PartitionQueue* queue = nullptr;  ///< set by `send`
    Topic topic = Topic::events;
    std::size_t bytes = 0;
    Published outcome = Published::not_acked;
};

/// Reports on their way from where librdkafka is polled to the io_context whose coroutines wait for them: one
/// post for each batch of reports, however many records it is about, and none where they are polled. Outlives
/// the producer.
class ReportQueue {
public:
    /// `late_ack` is called on the io_context's thread for a record that was stored after its waiter
    /// had gone on.
    ReportQueue(ingress::asio::io_context& io, std::function<void(const dedup::Marker&)> late_ack)
        : io_{io}, late_ack_{std::move(late_ack)} {}

    void add(std::unique_ptr<Delivery> delivery);  ///< any thread
    void hand_over();                              ///< any thread; posts when there is something
    /// Hands over what has arrived, now. On the io_context's thread; holding no lock: coroutines go on
    /// inside.
    void wake_waiters();
    [[nodiscard]] ingress::asio::io_context& io() noexcept { return io_; }

private:
    ingress::asio::io_context& io_;
    std::function<void(const dedup::Marker&)> late_ack_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Delivery>> arrived_;
    bool posted_ = false;
    std::vector<std::unique_ptr<Delivery>> handled_;  // io_context's thread; keeps its memory
};

}  // namespace sluice::publish
