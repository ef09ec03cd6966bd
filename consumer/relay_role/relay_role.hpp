#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "consumer/process/process.hpp"
#include "consumer/relay_role/destination_relay.hpp"

namespace sluice::consumer {

/// The relay role between its start and its end: a thread for each destination. Drain: each finishes what it
/// has sent.
class RelayRole final : public Role {
public:
    /// Throws config::Refused where secrets of destinations cannot be read.
    explicit RelayRole(Process& process);
    /// For --check: what the constructor would throw.
    static void refuse_bad_secrets(const Config& config);

    [[nodiscard]] int run(const std::stop_token& stop) override;
    [[nodiscard]] bool alive() const override;

private:
    /// Refuses messages whose destination is gone, and deletes what was sent or skipped long ago.
    void purge(const std::stop_token& stop);
    void not_purged(const std::string& why);

    Process& process_;
    Counter& purged_;
    Counter& purge_failures_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<DestinationRelay>> relays_;
};

}  // namespace sluice::consumer
