#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// What was strange about callbacks (deploy/mysql/0014_callback.sql), and the questions that find it.
namespace sluice::store {

/// A time, its ends included.
struct Span {
    WallTime from{};
    WallTime until{};
};

/// Of these objects (`object_hash`) those that are worth a closer look: with more than `most` authentic
/// callbacks within `bursts`, or with different amounts paid, or both paid and closed, within `payments`.
[[nodiscard]] Result<std::vector<std::int64_t>> strange_objects(Connection& connection,
                                                                std::span<const std::int64_t> objects,
                                                                const Span& bursts, const Span& payments,
                                                                int most);

/// An authentic callback of an object.
struct ObjectCallback {
    WallTime received_at{};
    bool is_accepted = false;
    std::string event_id;
    std::optional<WallTime> occurred_at;
    std::string payment;
    std::optional<std::int64_t> amount;
    std::string currency;
};
/// In the order of their receipt; of more than 5,000 the newest.
[[nodiscard]] Result<std::vector<ObjectCallback>> callbacks_of_object(Connection& connection,
                                                                      std::int64_t object, const Span& span);

/// What several callbacks have in common that should not.
struct Shared {
    std::string subject;  ///< the digest's bytes, or the client
    WallTime first{};
    WallTime last{};
    std::int64_t callbacks = 0;
    std::int64_t different = 0;  ///< events, or sources
    std::string examples;        ///< some of them, with commas
};
/// Of these contents those that were accepted under more than one event.
[[nodiscard]] Result<std::vector<Shared>> contents_of_several_events(Connection& connection,
                                                                     std::span<const crypto::Digest> contents,
                                                                     const Span& span);
/// Of these clients those whose signatures were wrong at `least` sources or more.
[[nodiscard]] Result<std::vector<Shared>> clients_that_fail(Connection& connection,
                                                            std::span<const std::string_view> clients,
                                                            const Span& span, int least);

/// One row. The views live until the call returns.
struct AnomalyEntry {
    std::string_view kind;
    std::string_view subject;
    std::string_view source;
    WallTime began{};
    WallTime last{};
    std::int64_t callbacks = 0;
    std::string_view detail;
};
/// Writes it, or adds it to the one of that kind and subject from which it is no further than `lasts`.
/// Whether it is new. Only one session at a time may do so.
[[nodiscard]] Result<bool> note_anomaly(Connection& connection, const AnomalyEntry& entry,
                                        std::chrono::seconds lasts);

struct AnomalyRow {
    std::int64_t id = 0;
    std::string kind;
    std::string subject;
    std::string source;
    WallTime began{};
    WallTime last{};
    std::int64_t callbacks = 0;
    std::string detail;
    WallTime found{};
};
struct AnomalyFilter {
    std::optional<std::string> kind{};
    std::optional<std::string> subject{};
    std::optional<std::string> source{};
    std::optional<WallTime> since{};  ///< went on then, or began later
    std::int64_t limit = 50;
};
/// The newest, at most `limit`, the newest last.
[[nodiscard]] Result<std::vector<AnomalyRow>> list_anomalies(Connection& connection,
                                                             const AnomalyFilter& filter);

/// Those that ended before `cutoff`, in chunks of a thousand. How many.
[[nodiscard]] Result<std::int64_t> delete_anomalies(Connection& connection, WallTime cutoff);

}  // namespace sluice::store
