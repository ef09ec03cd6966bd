#include "ingress/publish/drain_estimate.hpp"

namespace sluice::publish {

void DrainEstimate::queued(std::size_t bytes, SteadyTime now) noexcept {
    if (pending_ == 0) batch_began_ = now;
    pending_ += bytes;
}

void DrainEstimate::settled(std::size_t bytes, bool all, SteadyTime now) noexcept {
    pending_ -= bytes;
    if (!all) return;
    const auto took = now - batch_began_;
    batch_takes_ = batch_takes_.count() == 0 ? took : (3 * batch_takes_ + took) / 4;
    batch_began_ = now;
}

bool DrainEstimate::in_time(std::size_t more, SteadyTime::duration within, SteadyTime now) const noexcept {
    if (pending_ == 0) return true;
    if (now - batch_began_ >= within) return false;  // nothing came back for that long: nothing will in time
    const auto batches = static_cast<SteadyTime::rep>((pending_ + more) / batch_bytes_ + 1);
    return batches * batch_takes_ < within;
}

}  // namespace sluice::publish
