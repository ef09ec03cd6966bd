#include "ingress/spill/backlog.hpp"

#include <functional>

namespace sluice::spill {

Backlog::Bucket Backlog::bucket_of(std::string_view key) noexcept {
    return bucket_of(std::hash<std::string_view>{}(key));
}

void Backlog::add(Bucket bucket) noexcept {
    ++of_bucket_[bucket];
    ++records_;
}

void Backlog::remove(Bucket bucket) noexcept {
    --of_bucket_[bucket];
    --records_;
}

bool Backlog::holds(Bucket bucket) const noexcept {
    return !is_counted_ || of_bucket_[bucket] > 0;
}

}  // namespace sluice::spill
