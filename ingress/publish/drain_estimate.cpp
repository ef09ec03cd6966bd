#include "ingress/publish/drain_estimate.hpp"

namespace sluice::publish {

void DrainEstimate::queued(std::size_t bytes, bool leaves, SteadyTime now) noexcept {
    if (pending_ == 0) waits_since_ = now;
    if (leaves) batch_left_ = now;
    pending_ += bytes;
}

void DrainEstimate::settled(std::size_t bytes, bool all, SteadyTime now) noexcept {
    pending_ -= bytes;
    waits_since_ = now;
    if (!all) return;
    const auto took = now - batch_left_;
    batch_takes_ = batch_takes_.count() == 0 ? took : (3 * batch_takes_ + took) / 4;
    batch_left_ = now;
}

bool DrainEstimate::in_time(std::size_t more, SteadyTime::duration within, SteadyTime now) const noexcept {
    if (pending_ == 0) return true;
    if (now - waits_since_ >= within) return false;  // nothing came back for that long: nothing will in time
    const auto batches = static_cast<SteadyTime::rep>((pending_ + more) / batch_bytes_ + 1);
    return batches * batch_takes_ < within;
}

}  // namespace sluice::publish
