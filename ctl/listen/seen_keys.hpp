#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string_view>

#include "common/crypto/digest.hpp"

namespace sluice::ctl {

/// The idempotency keys of the last `most` messages; the oldest is forgotten first. Keeps digests: how long a
/// key is does not count. One thread.
class SeenKeys {
public:
    explicit SeenKeys(std::size_t most) : most_{most} {}

    /// Whether it was there already.
    [[nodiscard]] bool add(std::string_view key) {
        const crypto::Digest digest = crypto::sha256(key);
        if (!known_.insert(digest).second) return true;
        order_.push_back(digest);
        if (order_.size() > most_) {
            known_.erase(order_.front());
            order_.pop_front();
        }
        return false;
    }

private:
    std::size_t most_;
    std::set<crypto::Digest> known_;
    std::deque<crypto::Digest> order_;
};

}  // namespace sluice::ctl
