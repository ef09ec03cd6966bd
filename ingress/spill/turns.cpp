#include "ingress/spill/turns.hpp"

#include <utility>

namespace sluice::spill {

Turns::Turn::Turn(std::shared_ptr<Newest> newest, KeyHash key)
    : newest_{std::move(newest)}, key_{key}, mine_{std::make_shared<State>()} {
    before_ = std::exchange((*newest_)[key_], mine_);
}

Turns::Turn::~Turn() {
    try {
        end();
    } catch (...) {
        // No memory to wake whoever waits, who has a deadline.
    }
}

ingress::Task<bool> Turns::Turn::comes(connection::Deadlines& deadlines, SteadyTime by) {
    if (!before_ || before_->has_ended) co_return true;
    connection::Deadline deadline{deadlines, [this](bool again) {
                                      if (!again) before_->next.wake();
                                  }};
    deadline.set(by - connection::Deadlines::tick);
    co_await before_->next.wait();
    co_return before_->has_ended;
}

/// Whoever comes next waits for what this one would have waited for.
void Turns::Turn::end() {
    if (std::exchange(mine_->has_ended, true)) return;
    mine_->next.wake();
    const auto newest = newest_->find(key_);
    if (newest == newest_->end() || newest->second != mine_) return;
    if (before_ && !before_->has_ended)
        newest->second = before_;
    else
        newest_->erase(newest);
}

}  // namespace sluice::spill
