#include "consumer/main_role/tries.hpp"

#include <utility>

namespace sluice::consumer {

void Tries::keep(const Item& item) {
    if (!item.first_failed && item.lost_locks == 0 && item.troubled.times == 0) return;
    if (tried_.size() >= most) tried_.clear();
    tried_.insert_or_assign({item.record.at.partition, item.record.at.offset},
                            Tried{item.record.leader_epoch, item.attempts, item.first_failed,
                                  item.first_failed_at, item.lost_locks, item.troubled});
}

void Tries::give_back(Item& item) {
    const auto at = tried_.find({item.record.at.partition, item.record.at.offset});
    if (at == tried_.end()) return;
    Tried tried = std::move(at->second);
    tried_.erase(at);
    if (tried.leader_epoch != item.record.leader_epoch) return;
    item.attempts = tried.attempts;
    item.first_failed = tried.first_failed;
    item.first_failed_at = tried.first_failed_at;
    item.lost_locks = tried.lost_locks;
    item.troubled = std::move(tried.troubled);
}

}  // namespace sluice::consumer
