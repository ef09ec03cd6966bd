#include "ingress/dedup/breaker.hpp"

namespace sluice::dedup {

bool Breaker::allows(SteadyTime now) {
    if (!is_open()) return true;
    if (now < next_probe_) return false;
    next_probe_ = now + probe_every;
    return true;
}

void Breaker::succeeded() noexcept {
    failures_ = 0;
}

void Breaker::failed(SteadyTime now) noexcept {
    if (is_open()) return;
    ++failures_;
    if (is_open()) next_probe_ = now + probe_every;
}

}  // namespace sluice::dedup
