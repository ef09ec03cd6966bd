#include "command/hot/acceptor.hpp"

#include <algorithm>
#include <utility>

#include "command/execute/prepared_command.hpp"
#include "command/execute/told_once.hpp"
#include "command/hot/hot_record.hpp"
#include "command/key/key_of.hpp"
#include "common/failpoint.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;
using outlet::Kept;

constexpr std::size_t at_once = 256;
constexpr int threads = 2;  // one reads keys while the other waits for Kafka
/// The producer gives a record up after 30 s. Until then it may get into Kafka.
constexpr std::chrono::seconds may_arrive{60};
constexpr Milliseconds least_within{50};

Answer unavailable(std::string why) {
    return {.kind = Kind::unavailable, .why = std::move(why)};
}

Answer not_taken() {
    return unavailable("too many commands wait, or the program ends: this request was not taken");
}

Response plain_answer() {
    return {.status = 202, .body = R"({"state":"in_progress"})"};
}

Answer answer_of(Kept kept, const Response& if_kept) {
    switch (kept) {
        case Kept::published:
        case Kept::known:
            return {.kind = Kind::accepted, .response = if_kept};
        case Kept::too_large:
            return {.kind = Kind::refused, .why = "it is larger than a record may be"};
        case Kept::unavailable:
            return unavailable("Kafka takes no records now: this request was not taken");
        case Kept::not_kept:
            break;
    }
    return unavailable("Kafka did not say whether it has it: the same again, or look it up");
}

}  // namespace

struct Acceptor::Asked {
    Asked(const Definition& of, std::string which, Request what, Executor::Done done)
        : definition{of},
          account{std::move(which)},
          request{std::move(what)},
          key{digest_of(request.key)},
          caller{std::move(done)} {}

    const Definition& definition;
    std::string account;
    Request request;
    crypto::Digest key;
    ToldOnce<Answer> caller;
    bool is_over = false;  // of the thread that took it
};

struct Acceptor::Outgoing {
    Outgoing(std::shared_ptr<Asked> whose, Response said, WallTime now)
        : asked{std::move(whose)}, response{std::move(said)}, record{asked->request, asked->account, now} {}

    [[nodiscard]] outlet::Parcel parcel() const {
        return {.key = record.account(), .value = asked->request.body, .headers = record.headers()};
    }

    std::shared_ptr<Asked> asked;
    Response response;  ///< where Kafka has it
    OutgoingCommand record;
};

Acceptor::Acceptor(const CommandSet& set, const Around& around, Deliver deliver, std::size_t most)
    : around_{around},
      deliver_{std::move(deliver)},
      most_{most},
      clock_{around.clock},
      queue_{most + 1},
      deadlines_{around.clock} {
    const Shared shared{around_, queue_, set, moves_, {}};
    for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(shared));
}

Acceptor::~Acceptor() {
    queue_.close();
    turn_away_all();
}

void Acceptor::accept(const Definition& definition, std::string account, Request request,
                      Executor::Done done) {
    const SteadyTime answer_by = request.answer_by;
    const auto asked =
        std::make_shared<Asked>(definition, std::move(account), std::move(request), std::move(done));
    {
        const std::lock_guard lock{mutex_};
        if (waiting_.size() >= most_) return (void)asked->caller.tell(not_taken());
        auto& on_its_way = on_their_way_[asked->key];
        if (on_its_way.requests++ == 0) on_its_way.since = around_.clock.wall();
        waiting_.push_back(asked);
    }
    Job job{.work = [this](Worker& worker) { work(worker); }, .turn_away = [] {}};
    // Where it is only full, jobs that wait there take this one, too.
    if (!queue_.push(job) && queue_.is_closed()) turn_away_all();
    // Not "in progress": that would say that it is kept, and it may yet be refused.
    deadlines_.at(answer_by, [late = std::weak_ptr{asked}] {
        if (const auto one = late.lock())
            one->caller.tell(unavailable("Kafka does not answer in time: the same again, or look it up"));
    });
}

std::optional<WallTime> Acceptor::since(const crypto::Digest& key) const {
    const std::lock_guard lock{mutex_};
    const auto found = on_their_way_.find(key);
    if (found == on_their_way_.end()) return std::nullopt;
    const OnItsWay& one = found->second;
    return one.is_over(around_.clock.steady()) ? std::nullopt : std::optional{one.since};
}

/// Each request pushes a job, and a job takes all that waits: most find nothing left.
void Acceptor::work(Worker& worker) {
    const Batch batch = take();
    if (batch.empty()) return;
    try {
        forward(worker, batch);
    } catch (const std::exception& error) {
        give_up(batch, error);
    }
}

void Acceptor::forward(Worker& worker, const Batch& batch) {
    auto commands = prepared(not_known(worker, batch));
    if (!commands.empty()) send(commands);
}

void Acceptor::give_up(const Batch& batch, const std::exception& error) {
    around_.log.error("command_broken", {{"reason", error.what()}});
    for (const auto& asked : batch) {
        if (!asked->is_over) may_still_arrive(asked->key);
        tell(*asked, unavailable("it cannot be taken now: the same again, or look it up"));
    }
}

Acceptor::Batch Acceptor::take() {
    const std::lock_guard lock{mutex_};
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), at_once));
    Batch batch{waiting_.begin(), end};
    waiting_.erase(waiting_.begin(), end);
    const SteadyTime now = around_.clock.steady();
    std::erase_if(on_their_way_, [now](const auto& one) { return one.second.is_over(now); });
    return batch;
}

Acceptor::Batch Acceptor::not_known(Worker& worker, Batch batch) {
    std::vector<crypto::Digest> keys;
    for (const auto& asked : batch) keys.push_back(asked->key);
    auto known = worker.known(keys);
    if (known && !has_looked(worker)) known = std::unexpected("the database is not available");
    if (!known)
        for (const auto& asked : batch) tell(*asked, unavailable(known.error()));
    if (!known) return {};
    std::erase_if(batch, [&](const auto& asked) {
        const auto found = known->find(asked->key);
        if (found == known->end() || found->second.has_expired) return false;
        tell(*asked, answer_from(found->second, asked->request.fingerprint));
        return true;
    });
    return batch;
}

bool Acceptor::has_looked(Worker& worker) {
    auto* connection = worker.session();
    return connection != nullptr && clock_.look(*connection);
}

/// What will be executed later is checked now, when there is still somebody to tell.
std::deque<Acceptor::Outgoing> Acceptor::prepared(const Batch& batch) {
    std::deque<Outgoing> commands;
    for (const auto& asked : batch) {
        const WallTime now = clock_.wall();
        PreparedCommand command{asked->definition, asked->request, now};
        if (auto why = command.read()) {
            tell(*asked, {.kind = Kind::refused, .why = std::move(*why)});
            continue;
        }
        const auto& declared = asked->definition.hot->answer;
        auto response = declared ? command.response_of(*declared) : plain_answer();
        if (response)
            commands.emplace_back(asked, std::move(*response), now);
        else
            tell(*asked, {.kind = Kind::refused, .why = response.error()});
    }
    return commands;
}

void Acceptor::send(std::deque<Outgoing>& commands) {
    std::vector<outlet::Parcel> parcels;
    SteadyTime until{};
    for (const Outgoing& one : commands) {
        parcels.push_back(one.parcel());
        until = std::max(until, one.asked->request.answer_by);
    }
    (void)FP("command.before_hot_publish");
    const auto left = std::chrono::ceil<Milliseconds>(until - around_.clock.steady());
    const auto kept = deliver_(parcels, std::max(left, least_within));
    (void)FP("command.after_hot_publish");
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (kept[i] == Kept::not_kept) may_still_arrive(commands[i].asked->key);
        tell(*commands[i].asked, answer_of(kept[i], commands[i].response));
    }
}

void Acceptor::may_still_arrive(const crypto::Digest& key) {
    const std::lock_guard lock{mutex_};
    on_their_way_[key].until = around_.clock.steady() + may_arrive;
}

/// This one is on its way no longer: Kafka has it, it never left, or nobody knows (`until`).
void Acceptor::tell(Asked& asked, Answer answer) {
    if (std::exchange(asked.is_over, true)) return;
    {
        const std::lock_guard lock{mutex_};
        const auto found = on_their_way_.find(asked.key);
        --found->second.requests;
        if (found->second.is_over(around_.clock.steady())) on_their_way_.erase(found);
    }
    asked.caller.tell(std::move(answer));
}

void Acceptor::turn_away_all() {
    Batch left;
    {
        const std::lock_guard lock{mutex_};
        left.assign(waiting_.begin(), waiting_.end());
        waiting_.clear();
    }
    for (const auto& asked : left) tell(*asked, not_taken());
}

}  // namespace sluice::command
