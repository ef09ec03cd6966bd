#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/poll/poll_walk.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/walk/place.hpp"

namespace sluice::poller {

/// Who holds a lease renews it so often, and a standby looks so often. With SLUICE_HURRY=N (tests) an N-th of
/// it.
[[nodiscard]] Milliseconds between_renewals();
/// How long a lease lasts without renewal: a request and two deliveries to Kafka may lie between.
[[nodiscard]] Milliseconds lease_time(const PollSettings& poll);

/// One source's row of poll_walk, over a session of its own: who may walk, and how far the walk has come.
/// After anything but `ours` the lease is to be taken again. One thread's.
class Checkpoints {
public:
    enum class Held : std::uint8_t {
        ours,
        others,   ///< another process walks
        unknown,  ///< MySQL did not answer, or refused: `why`
        not_ours  ///< the row belongs to another account: nobody may walk until an operator has looked
                  ///< (`why`)
    };

    /// All outlive it.
    Checkpoints(const config::MysqlSettings& mysql, const PollSettings& poll, const Clock& clock);

    /// Takes the lease. `ours`: `begin` is where the walk goes on; `first` where there is no row yet.
    [[nodiscard]] Held take(const Checkpoint& first);
    [[nodiscard]] const Checkpoint& begin() const noexcept { return begin_; }
    /// What an earlier walk may have missed, as long as no operator has cleared it.
    [[nodiscard]] const std::optional<Gap>& gap() const noexcept { return gap_; }
    /// Other types are asked for than by the walk before: events of new ones that lie before the checkpoint
    /// are not read.
    [[nodiscard]] bool has_other_types() const noexcept { return has_other_types_; }

    /// Renews the lease where it is time.
    [[nodiscard]] Held keep();
    /// Everything that `to` covers is in Kafka. A gap goes into its transaction.
    [[nodiscard]] Held write(const Checkpoint& to, const std::optional<Gap>& gap);
    /// Others may walk at once. What MySQL says to it does not matter.
    void release();

    [[nodiscard]] const std::string& why() const noexcept { return why_; }

private:
    [[nodiscard]] bool connect();
    [[nodiscard]] Held failed();
    [[nodiscard]] Held renewed(const Result<bool>& done);
    [[nodiscard]] Held taken(store::LeaseAnswer answer);
    [[nodiscard]] Result<bool> move(const Checkpoint& to);
    /// Over a gap.
    [[nodiscard]] Result<bool> jump(const Checkpoint& to, const Gap& gap);

    const config::MysqlSettings& mysql_;
    const PollSettings& poll_;
    const Clock& clock_;
    std::string holder_;
    crypto::Digest types_{};
    std::unique_ptr<store::Connection> connection_;
    std::optional<store::Lease> lease_;
    SteadyTime renewed_at_{};
    Checkpoint begin_;
    std::optional<Gap> gap_;
    bool has_other_types_ = false;
    std::string why_;
};

}  // namespace sluice::poller
