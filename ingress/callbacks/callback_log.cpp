#include "ingress/callbacks/callback_log.hpp"

namespace sluice::callbacks {

CallbackLog::~CallbackLog() {
    add_left_out(sample_.end(), last_at_);
    give();
}

void CallbackLog::add(const Callback& callback) {
    batch_.add(callback);
    if (batch_.size() >= full_batch) give();
}

void CallbackLog::tick(SteadyTime now, WallTime wall) {
    last_at_ = wall;
    if (now < gives_at_) return;
    gives_at_ = now + gathered_for;
    add_left_out(sample_.ended(now), wall);
    give();
}

void CallbackLog::add_left_out(const std::vector<LeftOut>& left_out, WallTime at) {
    for (const LeftOut& one : left_out)
        batch_.add({.received_at = at,
                    .source = one.source,
                    .verdict = one.verdict,
                    .reason = "left_out",
                    .requests = one.requests});
}

void CallbackLog::give() {
    if (batch_.empty()) return;
    const std::uint64_t requests = batch_.requests();
    sender_.give(batch_.take(), requests);
}

}  // namespace sluice::callbacks
