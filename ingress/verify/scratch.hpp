#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/crypto/hmac.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/verify.hpp"

namespace sluice::verify {

/// How many programs have gone in this process: a thread that sees it move looks for contexts of
/// its own that nobody needs any more.
[[nodiscard]] std::uint64_t programs_gone() noexcept;
void count_gone_program() noexcept;

/// Keyed contexts of one thread, one per key of each program it has seen.
struct Scratch::State {
    /// The contexts of `program`, in the order of its keys. Made at first use; no allocation after.
    [[nodiscard]] std::vector<crypto::HmacSha256>& contexts_of(const Program& program);

    [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }

private:
    struct Entry {
        std::weak_ptr<const int> life;
        std::vector<crypto::HmacSha256> contexts;
    };

    void forget_gone();

    std::unordered_map<std::uint64_t, Entry> contexts_;  ///< by Program::serial
    std::uint64_t gone_seen_ = 0;
};

}  // namespace sluice::verify
