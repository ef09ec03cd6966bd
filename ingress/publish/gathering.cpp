#include "ingress/publish/gathering.hpp"

#include <utility>

namespace sluice::publish {

std::size_t Gathering::settled(std::size_t count) noexcept {
    outstanding_ -= count;
    if (outstanding_ > 0) return 0;
    outstanding_ = std::exchange(gathered_, 0);
    return outstanding_;
}

std::size_t Gathering::give_up_gathered() noexcept {
    return std::exchange(gathered_, 0);
}

}  // namespace sluice::publish
