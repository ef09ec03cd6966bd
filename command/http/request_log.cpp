#include "command/http/request_log.hpp"

#include "command/http/problem.hpp"
#include "common/trace/conventions.hpp"

namespace sluice::command {
namespace {

constexpr int first_error_of_ours = 500;

std::string_view command_of(const RequestFacts& facts) {
    return facts.key == nullptr ? std::string_view{} : std::string_view{facts.key->command};
}

std::string_view key_of(const RequestFacts& facts) {
    return facts.key == nullptr ? std::string_view{} : std::string_view{facts.key->key};
}

std::string_view route_of(std::string_view method) {
    return method == "GET" ? "/v1/commands/{name}/{key}" : "/v1/commands/{name}";
}

}  // namespace

RequestLog::RequestLog(Log& log, Metrics& metrics, trace::Tracer& tracer)
    : log_{log}, metrics_{metrics}, tracer_{tracer}, replies_{metrics} {
    const auto add = [this](std::string_view reason) {
        refused_[reason] =
            &metrics_.counter("sluice_command_refused_total", "Replies with a problem, by its name",
                              {{"reason", std::string{reason}}});
    };
    for (const ProblemRow& row : all_problems()) add(row.name);
    for (const gate::RefusalRow& row : gate::all_refusals()) add(row.name);
}

void RequestLog::know(const CallerSet& callers) {
    (void)not_authenticated("");
    for (const Caller& one : callers) (void)not_authenticated(one.name);
}

Counter& RequestLog::not_authenticated(std::string_view named) {
    return metrics_.counter("sluice_command_not_authenticated_total",
                            "Requests that are no caller's, by the caller that they name",
                            {{"caller", std::string{named}}});
}

void RequestLog::replied(const Reply& reply, const RequestFacts& facts, WallTime now) {
    count(reply, facts);
    write(reply, facts);
    const bool is_kept = facts.trace != nullptr && facts.trace->sampled();
    if (facts.trace != nullptr && tracer_.is_on() && (is_kept || reply.status >= first_error_of_ours))
        tell(reply, facts, now);
}

void RequestLog::count(const Reply& reply, const RequestFacts& facts) {
    replies_.count(reply.status);
    if (const auto refused = refused_.find(reply.decision); refused != refused_.end())
        refused->second->Increment();
    // Also of those who name nobody, so that it takes as long.
    if (reply.decision == row_of(Problem::not_authenticated).name) not_authenticated(facts.named).Increment();
    if (!reply.found.empty())
        metrics_
            .counter("sluice_command_lookups_total", "Look-ups that were answered, by the state of the key",
                     {{"command", std::string{command_of(facts)}}, {"state", std::string{reply.found}}})
            .Increment();
}

/// What anybody can cause must not push other lines out of the queue.
void RequestLog::write(const Reply& reply, const RequestFacts& facts) {
    const std::string client = facts.client.text();
    const std::string_view trace = facts.trace == nullptr ? std::string_view{} : facts.trace->trace_id();
    const std::initializer_list<LogField> fields{
        {"command", command_of(facts)},
        {"caller", facts.caller},
        {facts.named.empty() ? std::string_view{} : "named", facts.named},
        {"key", key_of(facts)},
        {reply.found.empty() ? std::string_view{} : "state", reply.found},
        {"status", std::int64_t{reply.status}},
        {"client", std::string_view{client}},
        {"ms", std::chrono::duration_cast<std::chrono::microseconds>(facts.took)},
        {"trace", trace}};
    if (!refused_.contains(reply.decision))
        log_.write_event(reply.decision, trace, fields);
    else if (reply.status >= first_error_of_ours)
        log_.warn(reply.decision, fields);
    else
        log_.write_routine(reply.decision, fields);
}

void RequestLog::tell(const Reply& reply, const RequestFacts& facts, WallTime now) {
    namespace key = trace::key;
    const std::string_view route = route_of(facts.method);
    const bool is_error = reply.status >= first_error_of_ours;
    const std::string name = std::string{facts.method}.append(" ").append(route);
    tracer_.tell({.name = name,
                  .kind = trace::Kind::server,
                  .self = {facts.trace->trace_id(), facts.trace->span_id()},
                  .parent_id = facts.trace->parent_id(),
                  .sampled = facts.trace->sampled(),
                  .began = now - std::chrono::duration_cast<std::chrono::microseconds>(facts.took),
                  .ended = now,
                  .error = is_error ? reply.decision : std::string_view{},
                  .attributes = {{key::http_method, facts.method},
                                 {key::http_route, route},
                                 {key::http_status, std::int64_t{reply.status}},
                                 {key::url_scheme, facts.is_tls ? "https" : "http"},
                                 {key::source, facts.caller},
                                 {key::outcome, reply.decision},
                                 {key::event_id, key_of(facts)},
                                 {key::event_type, command_of(facts)}}});
}

}  // namespace sluice::command
