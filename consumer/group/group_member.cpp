#include "consumer/group/group_member.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <thread>
#include <utility>

#include "consumer/record/polled_record.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_chores{200};
constexpr Milliseconds quiesce_within{8000};
constexpr Milliseconds leave_within{5000};
constexpr Milliseconds read_committed_within{10'000};
constexpr Milliseconds between_questions{200};

}  // namespace

GroupMember::GroupMember(const config::KafkaSettings& kafka, Settings settings, Partitions& partitions,
                         Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock)
    : topics_{settings.topics},
      partitions_{partitions},
      log_{log},
      metrics_{metrics},
      clock_{clock},
      settings_{std::move(settings)},
      readiness_{readiness},
      group_{metrics, settings_.role.c_str()},
      backpressure_{settings_.buffer_bytes},
      client_{make_member_client(kafka, settings_.member, this, on_rebalance,
                                 [](void* self) -> Log& { return static_cast<GroupMember*>(self)->log_; })},
      lag_gauges_{metrics, settings_.purpose} {}

GroupMember::~GroupMember() {
    is_over_ = true;
    handed_out_.clear();  // messages of the client, where a turn ended with an exception
    client_.reset();
}

void GroupMember::start(std::vector<RecordTaker*> takers) {
    takers_ = std::move(takers);
    handed_out_.resize(takers_.size());
    const auto code = rd_kafka_subscribe(client_.get(), topics_.all().get());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) end(std::string{"subscribe: "} + rd_kafka_err2str(code));
    last_turn_ = clock_.steady();
}

bool GroupMember::poll(Milliseconds wait) {
    kafka::Message message{rd_kafka_consumer_poll(client_.get(), static_cast<int>(wait.count()))};
    if (!message) return false;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        receive(std::move(message));
    } else {
        failed(*message);
    }
    return true;
}

bool GroupMember::are_chores_due() {
    const SteadyTime now = clock_.steady();
    last_turn_ = now;
    if (now < next_chores_) return false;
    next_chores_ = now + between_chores;
    return true;
}

void GroupMember::do_chores() {
    apply_backpressure();
    store_offsets();
    export_lag();
}

void GroupMember::failed(const rd_kafka_message_t& message) {
    const std::string text = rd_kafka_message_errstr(&message);
    const std::string name = message.rkt == nullptr ? "" : rd_kafka_topic_name(message.rkt);
    log_.warn("kafka_consumer_error", {{"topic", name}, {"reason", text}});
    if (message.err == RD_KAFKA_RESP_ERR__FATAL) {
        end(settings_.words.client + " has failed: " + text);
    } else if (message.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
        readiness_.set_unready(settings_.concern,
                               "topic " + name + " does not exist: run `sluicectl topics --apply`");
    } else if (message.err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED && !has_assignment_) {
        readiness_.set_unready(settings_.concern, "not in the group yet: its account needs Read on group " +
                                                      settings_.member.group + " (SECURITY.md): " + text);
    }
}

Record GroupMember::record_of(kafka::Message message) const {
    return polled_record(std::move(message), bytes_);
}

void GroupMember::hand_out(Record record) {
    const std::size_t taker = std::hash<std::string_view>{}(record.key) % takers_.size();
    handed_out_[taker].emplace_back().record = std::move(record);
}

void GroupMember::hand_over() {
    for (std::size_t i = 0; i < takers_.size(); ++i) {
        if (!handed_out_[i].empty()) takers_[i]->offer(std::exchange(handed_out_[i], {}));
    }
}

// The group's assignments, eager: everything is given back before anything is handed out again. Runs inside
// rd_kafka_consumer_poll or rd_kafka_consumer_close.
void GroupMember::on_rebalance(rd_kafka_t* client, rd_kafka_resp_err_t code,
                               rd_kafka_topic_partition_list_t* list, void* self) {
    auto& member = *static_cast<GroupMember*>(self);
    const bool is_assigning = code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
    member.has_assignment_ = is_assigning;
    if (is_assigning) {
        member.offered(*list);
    } else if (member.is_over_) {
        (void)rd_kafka_assign(client, nullptr);
    } else {
        member.revoked();
    }
}

void GroupMember::assign(rd_kafka_topic_partition_list_t& list) {
    // The client keeps earlier pauses across a new assignment, but ours starts unpaused.
    (void)rd_kafka_resume_partitions(client_.get(), &list);
    (void)rd_kafka_assign(client_.get(), &list);
    backpressure_.reassigned();
}

// Without the committed offsets the main role would not notice a fail-over that lost transactions. And
// librdkafka, left to ask for them itself, does not ask again after an error, so the partition is not read.
void GroupMember::offered(rd_kafka_topic_partition_list_t& list) {
    if (is_over_ || is_leaving_) return take_none();
    if (const auto committed = read_committed(list); !committed) {
        end(committed.error());
        return take_none();
    }
    assigned(list);
}

// librdkafka takes null for the answer to a revocation only.
void GroupMember::take_none() {
    const kafka::PartitionList none{rd_kafka_topic_partition_list_new(0)};
    (void)rd_kafka_assign(client_.get(), none.get());
}

// A coordinator that moves answers with an error, so the question is asked again.
std::expected<void, std::string> GroupMember::read_committed(rd_kafka_topic_partition_list_t& list) {
    const SteadyTime deadline = clock_.steady() + read_committed_within;
    while (list.cnt > 0) {
        const auto left = std::chrono::duration_cast<Milliseconds>(deadline - clock_.steady());
        auto code = rd_kafka_committed(client_.get(), &list,
                                       static_cast<int>(std::max(left, between_questions).count()));
        for (const auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
            if (code == RD_KAFKA_RESP_ERR_NO_ERROR) code = partition.err;
        }
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR) break;
        if (clock_.steady() >= deadline)
            return std::unexpected{std::string{"the committed offsets cannot be read: "} +
                                   rd_kafka_err2str(code)};
        std::this_thread::sleep_for(between_questions);
    }
    return {};
}

void GroupMember::say_assigned() {
    group_.rebalances.Increment();
    readiness_.set_ready(settings_.concern);
}

void GroupMember::revoked() {
    // Lost: another member may own them already. It finds what we finished since as duplicates.
    const bool lost = rd_kafka_assignment_lost(client_.get()) != 0;
    if (!lost) {
        const SteadyTime deadline = clock_.steady() + quiesce_within;
        bool quiet = true;
        for (auto* taker : takers_) quiet = taker->quiesce(deadline) && quiet;
        giving_back(quiet);
        commit_now();
    }
    partitions_.revoke_all();
    (void)rd_kafka_assign(client_.get(), nullptr);
    for (auto* taker : takers_) taker->resume();
    gave_back(lost);
}

void GroupMember::apply_backpressure() {
    bool trouble = !takers_.empty();
    for (const auto* taker : takers_) trouble = trouble && taker->in_trouble();
    const Backpressure::Step step = backpressure_.look(*bytes_, trouble);
    if (step == Backpressure::Step::none) return;
    const bool paused = step == Backpressure::Step::pause;
    std::vector<Place> places = assigned_places();
    std::erase_if(places, [this](Place place) { return is_kept(place); });
    set_paused(places, paused);
    log_.info(paused ? settings_.words.paused : settings_.words.resumed,
              {{"buffered_bytes", static_cast<std::int64_t>(bytes_->load())}});
}

void GroupMember::set_paused(const std::vector<Place>& places, bool paused) {
    const kafka::PartitionList list = topics_.list_of(places);
    (void)(paused ? rd_kafka_pause_partitions : rd_kafka_resume_partitions)(client_.get(), list.get());
}

std::vector<Place> GroupMember::assigned_places() const {
    rd_kafka_topic_partition_list_t* assignment = nullptr;
    if (rd_kafka_assignment(client_.get(), &assignment) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    const kafka::PartitionList owned{assignment};
    return topics_.places_in(*owned);
}

std::vector<Partitions::Storable> GroupMember::store(const std::vector<Partitions::Storable>& storable) {
    const kafka::PartitionList list = topics_.list_of(storable);
    (void)rd_kafka_offsets_store(client_.get(), list.get());
    std::vector<Partitions::Storable> taken;
    for (int i = 0; i < list->cnt; ++i) {
        // A partition that was revoked meanwhile answers with ERR__STATE: its next owner decides. Others are
        // tried again.
        const auto code = list->elems[i].err;
        const auto& what = storable[static_cast<std::size_t>(i)];
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR__STATE) partitions_.stored(what);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR) taken.push_back(what);
    }
    return taken;
}

void GroupMember::commit_now() {
    store_offsets();
    const auto code = rd_kafka_commit(client_.get(), nullptr, 0);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR__NO_OFFSET) {
        log_.warn(settings_.words.commit_failed, {{"reason", rd_kafka_err2str(code)}});
    }
}

// librdkafka 2.8 must not be closed while a rebalance waits for its callback: it leaves at once, and what the
// callback then asks of it may never be answered. So the group is left first, which ends in a revocation, and
// the client is closed once that is served. Unsubscribed before anything is served, it cannot join once more.
void GroupMember::leave() {
    commit_now();
    is_leaving_ = true;
    (void)rd_kafka_unsubscribe(client_.get());
    const SteadyTime deadline = clock_.steady() + leave_within;
    // Until nothing waits: that may be a first assignment, and a client that is closed then aborts the
    // process.
    bool is_served = false;
    while ((has_assignment_ || !is_served) && clock_.steady() < deadline) {
        // Not begun: the next owner reads it.
        const kafka::Message dropped{
            rd_kafka_consumer_poll(client_.get(), static_cast<int>(longest_poll.count()))};
        is_served = !dropped;
    }
    rd_kafka_consumer_close(client_.get());
}

void GroupMember::export_lag() {
    const WallTime now = clock_.wall();
    for (const auto& lag : partitions_.lags()) {
        lag_gauges_.show(topics_.name(lag.place.topic), lag.place.partition, lag.oldest_due, lag.unfinished,
                         now);
    }
    group_.assigned.Set(static_cast<double>(lag_gauges_.end_look()));
}

}  // namespace sluice::consumer
