#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/day_rows.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/poll/reconciliation.hpp"

namespace sluice::poller {

/// How a reconciliation begins: without an operator, a window or a right to inject, which callers add. Both
/// outlive it.
[[nodiscard]] store::ReconciliationStart start_of(const std::string& id, const webhook::Source& source,
                                                  store::ReconciliationKind kind);

/// One run's session on MySQL: what the inbox knows, and what the run has found. The session is made anew
/// where the server has ended it while the provider was waited for. One thread's. Everything throws BrokenOff
/// where MySQL does not answer, or refuses.
class Books {
public:
    explicit Books(const config::MysqlSettings& mysql) : mysql_{mysql} {}  ///< outlives it

    [[nodiscard]] std::optional<std::chrono::sys_days> dropped_before();
    [[nodiscard]] std::vector<store::KnownEvent> known(std::span<const store::InboxKey> keys);
    [[nodiscard]] std::vector<store::InboxRow> on_any_day(std::span<const crypto::Digest> keys);
    /// Of undated events whose rows are gone.
    [[nodiscard]] std::vector<store::KnownEvent> remembered(std::span<const store::InboxKey> keys);
    [[nodiscard]] std::vector<store::DayRow> rows_of_day(std::chrono::sys_days day,
                                                         const std::optional<crypto::Digest>& after);

    [[nodiscard]] std::optional<store::LastReconciliation> last_regular(const std::string& source);
    /// Deletes old runs first.
    void begin(const store::ReconciliationStart& start);
    void missing(const std::string& id, std::span<const store::MissingRow> rows);
    void injected(const std::string& id, const store::InboxKey& key);
    void so_far(const std::string& id, const store::ReconciliationCounts& counts);
    void ended(const std::string& id, const store::ReconciliationCounts& counts);

private:
    [[nodiscard]] store::Connection& session();
    template <class Value>
    Value or_break(Result<Value> result);

    const config::MysqlSettings& mysql_;
    std::unique_ptr<store::Connection> connection_;
};

}  // namespace sluice::poller
