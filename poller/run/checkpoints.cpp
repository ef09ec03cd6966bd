#include "poller/run/checkpoints.hpp"

#include <algorithm>
#include <utility>

#include "common/crypto/digest.hpp"
#include "common/crypto/random.hpp"
#include "common/failpoint.hpp"
#include "common/joined.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::poller {
namespace {

constexpr std::size_t holder_bytes = 16;

/// A request and two deliveries to Kafka, and what is left of the time between two renewals.
Milliseconds longest_silence(const PollSettings& poll) {
    return poll.api.timeout + Milliseconds{60'000};
}

/// What is asked for, so that a change of it is seen. A row of the main list has the types alone.
std::string asked_for(const PollSettings& poll) {
    const std::string types = joined(poll.wanted.types, "\n");
    const std::string_view list = poll.list->facts().name;
    return list == main_list ? types : std::string{list} + ":\n" + types;
}

store::PollWalk row_of(const Checkpoint& at, const crypto::Digest& types) {
    store::PollWalk row;
    if (at.at) row.at = store::WalkPlace{at.at->id, at.at->created};
    row.complete_until = at.complete_until;
    row.types_digest = types;
    return row;
}

Checkpoint checkpoint_of(store::PollWalk& row) {
    Checkpoint found;
    if (row.at) found.at = Place{std::move(row.at->id), row.at->created};
    found.complete_until = row.complete_until;
    return found;
}

}  // namespace

Milliseconds between_renewals() {
    return Milliseconds{20'000} / HURRY();
}

Milliseconds lease_time(const PollSettings& poll) {
    return longest_silence(poll) / HURRY();
}

Checkpoints::Checkpoints(const config::MysqlSettings& mysql, const PollSettings& poll, const Clock& clock)
    : mysql_{mysql},
      poll_{poll},
      clock_{clock},
      holder_{crypto::random_hex(holder_bytes)},
      types_{crypto::sha256(asked_for(poll))} {}

Checkpoints::Held Checkpoints::take(const Checkpoint& first) {
    lease_.reset();
    if (!connect()) return Held::unknown;
    const webhook::Source& source = *poll_.source;
    renewed_at_ = clock_.steady();
    auto answer = store::take_lease(*connection_, {source.name, source.provider, source.principal},
                                    row_of(first, types_), holder_, lease_time(poll_));
    if (!answer) return failed();
    return taken(std::move(*answer));
}

Checkpoints::Held Checkpoints::taken(store::LeaseAnswer answer) {
    why_.clear();
    if (std::holds_alternative<store::LeaseHeld>(answer)) return Held::others;
    if (const auto* other = std::get_if<store::OtherAccount>(&answer)) {
        why_ = "the checkpoint of source " + poll_.source->name + " is of account " + other->provider + "/" +
               other->principal + ": give this source another name, or delete its row from poll_walk";
        return Held::not_ours;
    }
    auto& [lease, walk] = std::get<store::LeaseTaken>(answer);
    lease_ = std::move(lease);
    begin_ = checkpoint_of(walk);
    gap_.reset();
    if (walk.gap) gap_ = Gap{walk.gap->from, walk.gap->until};
    has_other_types_ = walk.types_digest != types_;
    return Held::ours;
}

Checkpoints::Held Checkpoints::keep() {
    if (clock_.steady() - renewed_at_ < between_renewals()) return Held::ours;
    const SteadyTime now = clock_.steady();
    const Held held =
        renewed(store::renew_lease(*connection_, poll_.source->name, *lease_, lease_time(poll_)));
    if (held == Held::ours) renewed_at_ = now;
    return held;
}

Checkpoints::Held Checkpoints::write(const Checkpoint& to, const std::optional<Gap>& gap) {
    const SteadyTime now = clock_.steady();
    const Held held = renewed(gap ? jump(to, *gap) : move(to));
    if (held != Held::ours) return held;
    renewed_at_ = now;
    if (gap) gap_ = gap_ ? Gap{std::min(gap_->from, gap->from), std::max(gap_->until, gap->until)} : *gap;
    return held;
}

Result<bool> Checkpoints::move(const Checkpoint& to) {
    return store::move_walk(*connection_, poll_.source->name, *lease_, row_of(to, types_), lease_time(poll_));
}

Result<bool> Checkpoints::jump(const Checkpoint& to, const Gap& gap) {
    auto open = store::OpenTransaction::begin(*connection_);
    if (!open) return Failure{open.error()};
    const auto noted = store::note_gap(*connection_, poll_.source->name, *lease_, {gap.from, gap.until});
    if (!noted || !*noted) return noted;
    (void)FP("poller.between_gap_and_move");
    const auto moved = move(to);
    if (!moved || !*moved) return moved;
    if (const auto committed = open->commit(); !committed) return Failure{committed.error()};
    return true;
}

void Checkpoints::release() {
    if (!lease_ || !connection_) return;
    (void)store::release_lease(*connection_, poll_.source->name, *lease_);
    lease_.reset();
}

bool Checkpoints::connect() {
    if (connection_) return true;
    store::ServerError error;
    auto opened = store::Connection::open(mysql_, &error);
    if (!opened) {
        why_ = error.message;
        return false;
    }
    connection_ = std::move(*opened);
    // Nothing is said to MySQL while the provider and Kafka are waited for.
    const auto longest = std::chrono::ceil<std::chrono::seconds>(longest_silence(poll_));
    if (connection_->set_idle_limit(longest)) return true;
    (void)failed();
    return false;
}

Checkpoints::Held Checkpoints::renewed(const Result<bool>& done) {
    if (!done) return failed();
    if (*done) return Held::ours;
    why_ = "another process or an operator has taken it";
    lease_.reset();
    return Held::others;
}

/// The session goes with it: what it was about to do is not known, and a new one may reach another server.
Checkpoints::Held Checkpoints::failed() {
    const store::ServerError& error = connection_->last_error();
    why_ = error.message;
    if (store::class_of(error.code) == store::ErrorClass::schema)
        why_ += ": run `sluicectl migrate --apply`, and see the rights of sluice-poller in SECURITY.md";
    connection_.reset();
    lease_.reset();
    return Held::unknown;
}

}  // namespace sluice::poller
