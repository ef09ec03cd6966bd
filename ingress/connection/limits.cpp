#include "ingress/connection/limits.hpp"

#include <utility>

namespace sluice::connection {

Limits::Slot::Slot(Slot&& other) noexcept
    : limits_{std::exchange(other.limits_, nullptr)},
      client_prefix_{std::exchange(other.client_prefix_, std::nullopt)} {}

Limits::Slot::~Slot() {
    if (limits_ != nullptr) limits_->leave(client_prefix_);
}

bool Limits::Slot::name(const Address& client) {
    if (limits_->per_address_ == 0) return true;
    const std::scoped_lock lock{limits_->mutex_};
    int& open = limits_->by_client_prefix_[client.client_prefix()];
    if (open >= limits_->per_address_) return false;
    ++open;
    client_prefix_ = client.client_prefix();
    return true;
}

std::optional<Limits::Slot> Limits::enter() {
    if (open_.fetch_add(1, std::memory_order_relaxed) < in_all_) return Slot{*this};
    open_.fetch_sub(1, std::memory_order_relaxed);
    return std::nullopt;
}

void Limits::leave(const std::optional<Address>& client_prefix) {
    open_.fetch_sub(1, std::memory_order_relaxed);
    if (!client_prefix) return;
    const std::scoped_lock lock{mutex_};
    const auto found = by_client_prefix_.find(*client_prefix);
    if (--found->second == 0) by_client_prefix_.erase(found);
}

}  // namespace sluice::connection
