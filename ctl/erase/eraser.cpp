#include "ctl/erase/eraser.hpp"

#include <format>
#include <ranges>
#include <span>

#include "common/failpoint.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/driver/server_time.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/erase/still_waiting.hpp"
#include "ctl/operate/send_request.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {
namespace {

/// The topics that hold events and what operators said about them, with their retention as Kafka reports it.
/// Missing topics are left out; where Kafka does not answer, all are named without a retention.
std::vector<ErasedTopic> kept_topics(const config::KafkaSettings& settings) {
    std::vector<ErasedTopic> topics{
        {settings.topic, "each event as it was received", {}},
        {settings.quarantine_topic, "requests that could not be read", {}},
        {settings.originals_topic, "whole deliveries of several events", {}},
        {settings.callbacks_topic, "requests beside those: duplicates, refused and limited ones", {}},
        {settings.dlq_topic, "events that could not be applied", {}},
        {settings.command_topic, "operators' commands: reasons, edited bodies", {}}};
    try {
        KafkaAdmin kafka{settings, std::chrono::seconds{5}};
        kafka.reach();
        std::erase_if(topics, [&](ErasedTopic& topic) {
            const auto facts = kafka.facts(topic.name);
            if (facts && !facts->hides("retention.ms")) topic.retention_ms = facts->retention_ms;
            return !facts;
        });
    } catch (const Stopped&) {
    }
    return topics;
}

}  // namespace

void Eraser::name_by_entry(std::int64_t entry) {
    const auto dead_letter =
        value_or_stop(store::find_dead_letter(connection_, entry), settings_.mysql, connection_);
    if (!dead_letter) throw Stopped{Exit::no, std::format("there is no entry {}", entry)};
    if (dead_letter->object_key.empty())
        throw Stopped{
            Exit::no,
            std::format("entry {} has no key: its data is deleted inbox.keep after it was closed", entry)};
    object_key_ = dead_letter->object_key;
}

ErasePlan Eraser::look() {
    ErasePlan plan{
        .object_key = object_key_,
        .found = value_or_stop(store::find_erasable(connection_, object_key_), settings_.mysql, connection_),
        .waiting = still_waiting(connection_, settings_.mysql, object_key_),
        .topics = kept_topics(settings_.kafka),
        .inbox = settings_.inbox};
    if (plan.waiting.empty() && plan.found.unfinished > 0)
        plan.waiting.push_back({.what = std::format("{} events of the inbox", plan.found.unfinished),
                                .standing = "not finished, but not in a lane",
                                .ends_with = "sluicectl event show ID"});
    if (plan.waiting.empty() && !plan.found.is_known())
        throw Stopped{
            Exit::no,
            "sluice knows no object " + object_key_ +
                ": its key is <provider>/<principal>/<object id>, as `sluicectl event show` prints it"};
    return plan;
}

std::vector<StillWaiting> Eraser::erase(const ErasePlan& plan, const RunOptions& by) {
    id_ = begin(by);
    take(plan);
    auto waiting = what_came_meanwhile();
    if (waiting.empty()) must(store::finish_erasure(connection_, id_, now()));
    return waiting;
}

/// A rerun may have taken an event out of the archive, whether it still runs or has ended since; an entry may
/// have been closed.
std::vector<StillWaiting> Eraser::what_came_meanwhile() {
    auto waiting = still_waiting(connection_, settings_.mysql, object_key_);
    if (!waiting.empty()) return waiting;
    const auto left =
        value_or_stop(store::find_erasable(connection_, object_key_), settings_.mysql, connection_);
    if (!left.is_empty() || left.unfinished > 0)
        waiting.push_back({.what = "events or entries",
                           .standing = "arrived, were closed or have messages that are not sent",
                           .ends_with = "the same command, run again"});
    return waiting;
}

store::ErasedRows Eraser::rows() {
    return value_or_stop(store::rows_of_erasure(connection_, id_), settings_.mysql, connection_);
}

WallTime Eraser::now() {
    return value_or_stop(store::server_time(connection_), settings_.mysql, connection_);
}

std::int64_t Eraser::begin(const RunOptions& by) {
    const std::string host = host_name();
    return value_or_stop(store::begin_erasure(connection_, {.object_key = object_key_,
                                                            .operator_name = by.operator_name,
                                                            .reason = by.reason,
                                                            .host = host,
                                                            .begun_at = now()}),
                         settings_.mysql, connection_);
}

void Eraser::take(const ErasePlan& plan) {
    for (const auto& [day, keys] : plan.found.events) {
        in_chunks(keys, [&](auto chunk) { return store::erase_events(connection_, id_, day, chunk); });
    }
    in_chunks(plan.found.dead_letters,
              [&](auto chunk) { return store::erase_dead_letters(connection_, id_, chunk); });
    in_chunks(plan.found.actions, [&](auto chunk) { return store::erase_actions(connection_, id_, chunk); });
    while (
        value_or_stop(store::erase_callbacks(connection_, id_, object_key_), settings_.mysql, connection_)) {
    }
}

void Eraser::must(const Result<void>& done) {
    if (done) return;
    const auto& error = connection_.last_error();
    throw Stopped{Exit::no, (error.code ? complaint_of(settings_.mysql, error) : done.error().message()) +
                                ". What was erased stays erased: run the same command again to resume"};
}

template <class Rows, class Erase>
void Eraser::in_chunks(const Rows& rows, Erase erase) {
    for (auto chunk : rows | std::views::chunk(store::erasure_chunk)) {
        must(erase(std::span{chunk.begin(), chunk.end()}));
        (void)FP("ctl.erased_chunk");
    }
}

}  // namespace sluice::ctl
