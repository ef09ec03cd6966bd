#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ingress/spill/spill_drain.hpp"
#include "ingress/spill/spilling_publisher.hpp"
#include "tests/unit/ingress/support/fakes.hpp"

namespace sluice::spill {

/// The journal of one process after another, in one folder, between a publisher and a drain that share a
/// Kafka whose word the test gives.
class Spilling {
public:
    Spilling();
    ~Spilling();
    Spilling(const Spilling&) = delete;
    Spilling& operator=(const Spilling&) = delete;

    /// Ends one process and begins the next one; with so much room.
    void restart(std::size_t max_bytes = std::size_t{64} << 20);

    publish::Published take(const std::string& key, const std::string& value);
    publish::Published take(const publish::Record& record);
    /// Events of one key that are on their way at the same time; of this one Kafka is slow to say anything.
    std::vector<publish::Published> take_at_once(const std::string& key,
                                                 const std::vector<std::string>& values,
                                                 const std::string& slow);
    /// One pass.
    void drain();
    /// Values in Kafka, in order.
    [[nodiscard]] std::vector<std::string> in_kafka() const;
    [[nodiscard]] std::vector<std::filesystem::path> files() const;
    [[nodiscard]] double counted(const std::string& metric) const;

    ingress::FakeKafka kafka;  ///< the publisher's
    ingress::FakeKafka drains_to;
    std::optional<std::size_t> largest = 1'000'000;  ///< nullopt: Kafka has not been there
    std::vector<crypto::Digest> confirmed;
    bool needs_originals = false;
    std::unique_ptr<Folder> folder;
    std::unique_ptr<Backlog> backlog;
    std::unique_ptr<Journal> journal;

private:
    void until_done(ingress::Task<void> task);
    ingress::Task<void> take_all(std::string key, std::vector<std::string> values,
                                 std::vector<publish::Published>& published);

    std::filesystem::path path_;
    SystemClock clock_;
    Log log_;
    std::unique_ptr<Metrics> metrics_;
    std::unique_ptr<SpillMetrics> spill_metrics_;
    connection::Deadlines deadlines_;
    ingress::asio::io_context io_;
    std::string slow_;
    std::unique_ptr<publish::Publisher> publisher_;
    std::unique_ptr<SpillDrain> drain_;
};

}  // namespace sluice::spill
