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

/// Of these objects (`object_hash`) those with more than `most` callbacks. From an index alone.
[[nodiscard]] Result<std::vector<std::int64_t>> busy_objects(Connection& connection,
                                                             std::span<const std::int64_t> objects,
                                                             const Span& span, int most);
/// When callbacks of the object came, but for those that are recorded twice (`not_acked`) or that nobody
/// sent; in order, of more than 5,000 the newest.
[[nodiscard]] Result<std::vector<WallTime>> callbacks_of_object(Connection& connection, std::int64_t object,
                                                                const Span& span);

/// Of these objects those of which more than one accepted event says that they are paid or closed.
[[nodiscard]] Result<std::vector<std::int64_t>> objects_with_payments(Connection& connection,
                                                                      std::span<const std::int64_t> objects,
                                                                      const Span& span);
struct ObjectPayment {
    WallTime received_at{};
    std::string event_id;
    std::optional<WallTime> occurred_at;
    std::string payment;
    std::optional<std::int64_t> amount;
    std::string currency;
};
/// Those events, in order, of more than 1,000 the newest.
[[nodiscard]] Result<std::vector<ObjectPayment>> payments_of_object(Connection& connection,
                                                                    std::int64_t object, const Span& span);

/// When something of that name came.
struct Occurrence {
    WallTime at{};
    std::string name;
};
/// Of these bodies (`body_hash`) those that more than one callback has.
[[nodiscard]] Result<std::vector<crypto::Digest>> repeated_bodies(Connection& connection,
                                                                  std::span<const crypto::Digest> bodies,
                                                                  const Span& span);
/// The accepted events with that body, in order, of more than 1,000 the newest.
[[nodiscard]] Result<std::vector<Occurrence>> events_with_body(Connection& connection,
                                                               const crypto::Digest& body, const Span& span);

/// Of these clients those with wrong signatures at `least` sources or more.
[[nodiscard]] Result<std::vector<std::string>> failing_clients(Connection& connection,
                                                               std::span<const std::string_view> clients,
                                                               const Span& span, std::size_t least);
/// The sources that refused its signatures, in order, of more than 5,000 requests the newest.
[[nodiscard]] Result<std::vector<Occurrence>> failures_of_client(Connection& connection,
                                                                 std::string_view client, const Span& span);

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
