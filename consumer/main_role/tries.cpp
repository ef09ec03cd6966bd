#include "consumer/main_role/tries.hpp"

#include <utility>

namespace sluice::consumer {

void Tries::keep(const Item& item) {
    if (item.failures.none()) return;
    if (tried_.size() >= most) tried_.clear();
    tried_.insert_or_assign({item.record.at.partition, item.record.at.offset},
                            Tried{item.record.leader_epoch, item.failures});
}

void Tries::give_back(Item& item) {
    const auto at = tried_.find({item.record.at.partition, item.record.at.offset});
    if (at == tried_.end()) return;
    Tried tried = std::move(at->second);
    tried_.erase(at);
    if (tried.leader_epoch == item.record.leader_epoch) item.failures = std::move(tried.failures);
}

}  // namespace sluice::consumer
