#include "ingress/publish/report_queue.hpp"

#include <boost/asio/post.hpp>

namespace sluice::publish {

void ReportQueue::add(std::unique_ptr<Delivery> delivery) {
    const std::scoped_lock lock{mutex_};
    arrived_.push_back(std::move(delivery));
}

void ReportQueue::hand_over() {
    {
        const std::scoped_lock lock{mutex_};
        if (arrived_.empty() || posted_) return;
        posted_ = true;
    }
    ingress::asio::post(io_, [this] {
        {
            const std::scoped_lock lock{mutex_};
            posted_ = false;
        }
        wake_waiters();
    });
}

void ReportQueue::wake_waiters() {
    {
        const std::scoped_lock lock{mutex_};
        handled_.swap(arrived_);
    }
    for (const auto& delivery : handled_) {
        if (delivery->awaited != nullptr) {
            delivery->awaited->outcome = delivery->outcome;
            delivery->awaited->waiter.resume();
        } else if (delivery->outcome == Published::stored && delivery->marker) {
            late_ack_(*delivery->marker);
        }
    }
    handled_.clear();
}

}  // namespace sluice::publish
