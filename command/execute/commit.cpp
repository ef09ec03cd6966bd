#include "command/execute/commit.hpp"

#include "common/failpoint.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::command {

Committed commit(store::OpenTransaction& transaction) {
    using How = Committed::How;
    (void)FP("command.before_commit");
    const auto committed = transaction.commit();
    // Only where a lock was lost the server says for certain that it rolled back.
    const bool is_unknown =
        FP("command.commit_unknown") ||
        (!committed && store::class_of(committed.error()) != store::ErrorClass::lost_lock);
    if (is_unknown) return {How::unknown};
    if (!committed) return {How::not_done, committed.error()};
    (void)FP("command.after_commit");
    return {};
}

}  // namespace sluice::command
