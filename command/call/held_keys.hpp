#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::command {

/// The keys of requests that this process holds, from when they come until their callers are told. The record
/// does not know of those that wait. Thread-safe.
class HeldKeys {
public:
    void add(const crypto::Digest& key, WallTime since) {
        const std::lock_guard lock{mutex_};
        held_.emplace(key, since);
    }
    /// One of its requests ends.
    void remove(const crypto::Digest& key) {
        const std::lock_guard lock{mutex_};
        if (const auto found = held_.find(key); found != held_.end()) held_.erase(found);
    }
    /// When a request with this key came; nullopt: none is held.
    [[nodiscard]] std::optional<WallTime> since(const crypto::Digest& key) const {
        const std::lock_guard lock{mutex_};
        const auto found = held_.find(key);
        return found == held_.end() ? std::nullopt : std::optional{found->second};
    }

private:
    mutable std::mutex mutex_;
    std::multimap<crypto::Digest, WallTime> held_;
};

}  // namespace sluice::command
