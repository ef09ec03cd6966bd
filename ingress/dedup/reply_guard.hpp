#pragma once

#include <cstddef>

#include <hiredis/async.h>

namespace sluice::dedup {

/// Ends a connection on which the server sends more than it was asked for: replies and commands would be out
/// of step from there on, and hiredis 1.2 aborts the process on a reply that no command waits for. The
/// surplus reply fails to be built, which hiredis takes for a broken connection. An array of more than
/// `most_elements` ends it too: hiredis takes memory for all elements as soon as their number is there, by
/// itself up to 32 GiB for "*4294967295". Outlives the context.
class ReplyGuard {
public:
    static constexpr long long most_elements = 16;  // no command of ours gets any

    /// Watches a context that has sent nothing yet.
    void watch(redisAsyncContext& context) noexcept;
    void command_sent() noexcept { ++expected_; }
    /// Whether an unrequested reply came.
    [[nodiscard]] bool has_tripped() const noexcept { return tripped_; }

private:
    struct Functions;

    std::size_t expected_ = 0;
    bool tripped_ = false;
    const redisReplyObjectFunctions* build_ = nullptr;  // hiredis' own
};

}  // namespace sluice::dedup
