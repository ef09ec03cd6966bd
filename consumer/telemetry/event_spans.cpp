#include "consumer/telemetry/event_spans.hpp"

#include <algorithm>
#include <array>

#include "common/crypto/random.hpp"
#include "common/record/header_names.hpp"
#include "common/trace/conventions.hpp"

namespace sluice::consumer {
namespace {

namespace key = trace::key;

constexpr std::size_t new_id_bytes = 8;

bool has_failed(Disposition disposition) {
    return disposition == Disposition::retried || disposition == Disposition::superseded ||
           disposition == Disposition::dead;
}

trace::Attribute::Value id_or_none(std::int64_t id) {
    if (id == 0) return {};
    return id;
}

std::string_view error_of(Disposition disposition, std::string_view error_class) {
    if (!has_failed(disposition)) return {};
    return error_class.empty() ? name_of(disposition) : error_class;
}

}  // namespace

bool EventSpans::is_kept(const Item& item) const noexcept {
    return tracer_.keeps(traceparent_of(item));
}

WallTime EventSpans::wall(SteadyTime time) const {
    const auto ago = clock_.steady() - time;
    return clock_.wall() - std::chrono::duration_cast<std::chrono::microseconds>(ago);
}

void EventSpans::tried(Disposition disposition, const Item& item, const Why& why) {
    if (!tracer_.is_on()) return;
    const Attempt& attempt = item.attempt;
    const bool is_told = has_failed(disposition) || attempt.is_told || item.failures.attempts > 0;
    if (!is_told && !is_kept(item)) return;
    const trace::SpanName publish = trace::name_in(traceparent_of(item));
    if (publish.trace_id.empty()) return;
    const std::string id = crypto::random_hex(new_id_bytes);
    const std::string_view topic = attempt.topic.empty() ? kafka_.topic : attempt.topic;
    std::array<trace::SpanName, 1> together{};
    if (attempt.together) together = {{{attempt.together->trace_id(), attempt.together->span_id()}}};
    const std::span<const trace::SpanName> links{together};
    tracer_.tell({.name = std::string{"process "}.append(topic),
                  .kind = trace::Kind::consumer,
                  .self = {publish.trace_id, id},
                  .parent_id = publish.span_id,
                  .sampled = is_kept(item),
                  .began = attempt.began == SteadyTime{} ? clock_.wall() : wall(attempt.began),
                  .ended = clock_.wall(),
                  .error = error_of(disposition, why.error_class),
                  .attributes = {{key::messaging_system, "kafka"},
                                 {key::messaging_operation, "process"},
                                 {key::messaging_operation_type, "process"},
                                 {key::messaging_destination, topic},
                                 {key::messaging_partition, std::to_string(item.record.at.partition)},
                                 {key::messaging_offset, item.record.at.offset},
                                 {key::messaging_group, kafka_.group},
                                 {key::source, item.event.source},
                                 {key::event_id, item.event.event_id},
                                 {key::event_type, item.event.type},
                                 {key::disposition, name_of(disposition)},
                                 {key::reason, why.reason},
                                 {key::attempts, std::int64_t{item.failures.attempts}}},
                  .links = attempt.together ? links : links.first(0)});
    if (attempt.committed_at != SteadyTime{}) tell_transaction(item, id);
}

void EventSpans::tell_transaction(const Item& item, std::string_view parent_id) {
    const std::string id = crypto::random_hex(new_id_bytes);
    tracer_.tell({.name = "transaction",
                  .kind = trace::Kind::client,
                  .self = {trace::name_in(traceparent_of(item)).trace_id, id},
                  .parent_id = parent_id,
                  .sampled = is_kept(item),
                  .began = wall(item.attempt.committed_from),
                  .ended = wall(item.attempt.committed_at),
                  .attributes = {{key::db_system, "mysql"}}});
}

void EventSpans::committed(Item& item, SteadyTime began) {
    if (!tracer_.is_on()) return;
    item.attempt.committed_from = began;
    item.attempt.committed_at = clock_.steady();
}

void EventSpans::committed(std::span<Item* const> items, SteadyTime began) {
    if (!tracer_.is_on()) return;
    if (items.size() == 1) return committed(*items.front(), began);
    committed_together(items, began);
}

void EventSpans::committed_together(std::span<Item* const> items, SteadyTime began) {
    std::vector<trace::SpanName> links;
    std::shared_ptr<trace::Context> together;
    for (Item* item : items) {
        if (!is_kept(*item)) continue;
        if (!together) together = std::make_shared<trace::Context>(trace::continue_trace("", ""));
        item->attempt.together = together;
        links.push_back(trace::name_in(traceparent_of(*item)));
    }
    if (!together) return;
    tracer_.tell({.name = "transaction",
                  .kind = trace::Kind::client,
                  .self = {together->trace_id(), together->span_id()},
                  .sampled = true,
                  .began = wall(began),
                  .ended = clock_.wall(),
                  .attributes = {{key::db_system, "mysql"},
                                 {key::messaging_batch, static_cast<std::int64_t>(items.size())}},
                  .links = links});
}

void EventSpans::dead_letter(const Item& item, const DeadLetter& dead_letter, SteadyTime began) {
    const trace::SpanName publish = trace::name_in(traceparent_of(item));
    if (!tracer_.is_on() || publish.trace_id.empty()) return;
    const std::string id = crypto::random_hex(new_id_bytes);
    tracer_.tell({.name = "send " + kafka_.dlq_topic,
                  .kind = trace::Kind::client,  // the record goes on naming its first publish, not this one
                  .self = {publish.trace_id, id},
                  .parent_id = publish.span_id,
                  .sampled = is_kept(item),
                  .began = wall(began),
                  .ended = clock_.wall(),
                  .error = dead_letter.is_taken ? std::string_view{} : "not_acked",
                  .attributes = {{key::messaging_system, "kafka"},
                                 {key::messaging_operation, "send"},
                                 {key::messaging_operation_type, "send"},
                                 {key::messaging_destination, kafka_.dlq_topic},
                                 {key::dead_letter, dead_letter.id},
                                 {key::reason, dead_letter.error_class},
                                 {key::source, item.event.source},
                                 {key::event_id, item.event.event_id},
                                 {key::event_type, item.event.type}}});
}

void EventSpans::commanded(const Record& record, const Order& order, SteadyTime began) {
    if (!tracer_.is_on()) return;
    const trace::Context own = trace::continue_trace(order.traceparent, "");
    const bool is_refused = !order.why.empty();
    tracer_.tell({.name = "process " + kafka_.command_topic,
                  .kind = trace::Kind::consumer,
                  .self = {own.trace_id(), own.span_id()},
                  .parent_id = own.parent_id(),
                  .sampled = tracer_.keeps(own.traceparent()),
                  .began = wall(began),
                  .ended = clock_.wall(),
                  .error = is_refused ? order.why : std::string_view{},
                  .attributes = {{key::messaging_system, "kafka"},
                                 {key::messaging_operation, "process"},
                                 {key::messaging_operation_type, "process"},
                                 {key::messaging_destination, kafka_.command_topic},
                                 {key::messaging_partition, std::to_string(record.at.partition)},
                                 {key::messaging_offset, record.at.offset},
                                 {key::action, order.action},
                                 {key::answer, order.answer},
                                 {key::dead_letter, id_or_none(order.dead_letter)}}});
}

void EventSpans::entry_opened(const Record& record, std::int64_t id, std::string_view reason,
                              SteadyTime began) {
    const std::string_view traceparent = traceparent_of(record);
    if (!tracer_.is_on() || traceparent.empty()) return;
    const trace::SpanName publish = trace::name_in(traceparent);
    const std::string own = crypto::random_hex(new_id_bytes);
    tracer_.tell({.name = "process " + kafka_.quarantine_topic,
                  .kind = trace::Kind::consumer,
                  .self = {publish.trace_id, own},
                  .parent_id = publish.span_id,
                  .sampled = tracer_.keeps(traceparent),
                  .began = wall(began),
                  .ended = clock_.wall(),
                  .attributes = {{key::messaging_system, "kafka"},
                                 {key::messaging_operation, "process"},
                                 {key::messaging_operation_type, "process"},
                                 {key::messaging_destination, kafka_.quarantine_topic},
                                 {key::messaging_partition, std::to_string(record.at.partition)},
                                 {key::messaging_offset, record.at.offset},
                                 {key::dead_letter, id},
                                 {key::reason, reason}}});
}

std::string_view traceparent_of(const Record& record) noexcept {
    const auto said =
        std::ranges::find(record.headers, record::header::traceparent, &record::HeaderView::name);
    const bool is_good = said != record.headers.end() && trace::is_traceparent(said->value);
    return is_good ? said->value : std::string_view{};
}

std::string_view traceparent_of(const Item& item) noexcept {
    return item.decoded ? std::string_view{item.event.traceparent} : traceparent_of(item.record);
}

}  // namespace sluice::consumer
