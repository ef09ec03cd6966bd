#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace sluice::consumer {

/// The MySQL server that the sessions of this process lead to. Once one has found another server, those on
/// the old one are of no use, although it may answer them still: what it says of an event may be lost on the
/// new one. Thread-safe.
class ServerMoves {
public:
    /// A new session leads to the server of this name (store::server_name). How often sessions have moved to
    /// another one by now: a session that knows of fewer moves is to be given up.
    std::uint64_t found(const std::string& server);
    [[nodiscard]] std::uint64_t count() const;

private:
    mutable std::mutex mutex_;
    std::string newest_;
    std::uint64_t moves_ = 0;
};

}  // namespace sluice::consumer
