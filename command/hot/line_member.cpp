#include "command/hot/line_member.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "consumer/group/member_client.hpp"

namespace sluice::command {
namespace {

constexpr int read_committed_within = 10'000;  // milliseconds
constexpr std::size_t most_waiting = 4096;     // records of a partition
constexpr std::size_t few_waiting = 1024;
constexpr Milliseconds leave_within{5000};
constexpr Milliseconds leave_step{50};

consumer::MemberSettings member_of(const std::string& group) {
    return {.name = "sluice-command",
            .group = group,
            .assignors = "range,roundrobin",
            .offset_reset = "error",
            // Smaller batches are booked each 100 ms: a fetch for every few records would only take the
            // broker's and our time from accounts that are not hot. A partition's backlog waits in Kafka: in
            // the client's one queue it would stand before the others'.
            .fetching = {{"fetch.min.bytes", "65536"},
                         {"fetch.wait.max.ms", "100"},
                         {"queued.min.messages", "2048"},
                         {"queued.max.messages.kbytes", "4096"},
                         {"fetch.queue.backoff.ms", "10"}}};
}

}  // namespace

/// What librdkafka hands back to its callbacks.
LineMember::LineMember(const LineSettings& settings, WaitingLine& line, Log& log)
    : topic_{settings.kafka.topic},
      line_{line},
      log_{log},
      client_{consumer::make_member_client(
          settings.kafka, member_of(settings.group), this, on_rebalance,
          [](void* self) -> Log& { return static_cast<LineMember*>(self)->log_; })} {
    const kafka::PartitionList topics{rd_kafka_topic_partition_list_new(1)};
    rd_kafka_topic_partition_list_add(topics.get(), topic_.c_str(), RD_KAFKA_PARTITION_UA);
    const auto code = rd_kafka_subscribe(client_.get(), topics.get());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) broken_ = rd_kafka_err2str(code);
}

// As GroupMember::leave: librdkafka must not be closed while a rebalance waits for its callback.
LineMember::~LineMember() {
    is_leaving_ = true;
    (void)rd_kafka_unsubscribe(client_.get());
    for (auto left = leave_within; left > Milliseconds{0}; left -= leave_step) {
        const kafka::Message dropped{rd_kafka_consumer_poll(client_.get(), int{leave_step.count()})};
        if (!dropped && next_.empty()) break;
    }
    rd_kafka_consumer_close(client_.get());
}

kafka::Message LineMember::poll(Milliseconds wait) {
    kafka::Message message{rd_kafka_consumer_poll(client_.get(), static_cast<int>(wait.count()))};
    if (!message) return message;
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
        failed(*message);
        return nullptr;
    }
    next_[message->partition] = message->offset + 1;
    return message;
}

void LineMember::failed(const rd_kafka_message_t& message) {
    if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return begin_again(message);
    log_.warn("kafka_consumer_error", {{"topic", topic_}, {"reason", rd_kafka_message_errstr(&message)}});
    if (message.err == RD_KAFKA_RESP_ERR__FATAL) broken_ = rd_kafka_message_errstr(&message);
}

/// Records were deleted before anybody booked them: accepted commands are lost, which somebody has to know.
void LineMember::begin_again(const rd_kafka_message_t& message) {
    const auto found = next_.find(message.partition);
    if (found == next_.end() || found->second == RD_KAFKA_OFFSET_BEGINNING) return;
    ++gaps_;
    log_.error("commands_lost", {{"topic", topic_},
                                 {"partition", std::int64_t{message.partition}},
                                 {"from", found->second},
                                 {"reason", rd_kafka_message_errstr(&message)}});
    found->second = RD_KAFKA_OFFSET_BEGINNING;
    line_.begin_again(message.partition);
    booked_.erase(message.partition);
    read_from(*list_of(next_));
}

void LineMember::read_from(const rd_kafka_topic_partition_list_t& list) {
    // The client keeps pauses across a new assignment.
    const kafka::PartitionList all{rd_kafka_topic_partition_list_copy(&list)};
    (void)rd_kafka_resume_partitions(client_.get(), all.get());
    held_back_.clear();
    (void)rd_kafka_assign(client_.get(), &list);
}

void LineMember::on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                              void* self) {
    auto& member = *static_cast<LineMember*>(self);
    if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
        member.assigned(*list);
    else
        member.revoked(rd_kafka_assignment_lost(member.client_.get()) != 0);
}

// librdkafka does not ask again by itself where the committed offsets cannot be read.
bool LineMember::read_committed(rd_kafka_topic_partition_list_t& list) {
    const auto code = rd_kafka_committed(client_.get(), &list, read_committed_within);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
    for (auto& one : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        if (one.err != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
        if (one.offset < 0) one.offset = RD_KAFKA_OFFSET_BEGINNING;
    }
    return true;
}

// librdkafka takes null for the answer to a revocation only.
void LineMember::assigned(rd_kafka_topic_partition_list_t& list) {
    if (is_leaving_ || !read_committed(list)) {
        broken_ = "the committed offsets cannot be read";
        const kafka::PartitionList none{rd_kafka_topic_partition_list_new(0)};
        (void)rd_kafka_assign(client_.get(), none.get());
        return;
    }
    for (const auto& one : std::span{list.elems, static_cast<std::size_t>(list.cnt)})
        next_[one.partition] = one.offset;
    read_from(list);
    log_.info("commands_assigned", {{"partitions", std::int64_t{list.cnt}}});
}

void LineMember::revoked(bool is_lost) {
    if (!is_lost && !booked_.empty()) (void)rd_kafka_commit(client_.get(), list_of(booked_).get(), 0);
    booked_.clear();
    next_.clear();
    held_back_.clear();
    line_.clear();
    (void)rd_kafka_assign(client_.get(), nullptr);
}

void LineMember::commit(const std::map<std::int32_t, std::int64_t>& next) {
    if (next.empty()) return;
    for (const auto& [partition, offset] : next) booked_[partition] = offset;
    (void)rd_kafka_commit(client_.get(), list_of(next).get(), 1);
}

void LineMember::hold_back() {
    for (const auto& [partition, next] : next_) {
        const std::size_t waiting = line_.size(partition);
        const bool is_held = held_back_.contains(partition);
        if (is_held ? waiting >= few_waiting : waiting < most_waiting) continue;
        const auto list = list_of({{partition, 0}});
        (void)(is_held ? rd_kafka_resume_partitions : rd_kafka_pause_partitions)(client_.get(), list.get());
        if (is_held)
            held_back_.erase(partition);
        else
            held_back_.insert(partition);
    }
}

kafka::PartitionList LineMember::list_of(const std::map<std::int32_t, std::int64_t>& offsets) const {
    kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(offsets.size()))};
    for (const auto& [partition, offset] : offsets)
        rd_kafka_topic_partition_list_add(list.get(), topic_.c_str(), partition)->offset = offset;
    return list;
}

}  // namespace sluice::command
