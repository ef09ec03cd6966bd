#include "ingress/request/session.hpp"

#include "common/failpoint.hpp"
#include "common/record/header_names.hpp"
#include "common/webhook/gate/admission.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/challenge.hpp"
#include "ingress/connection/phases.hpp"
#include "ingress/publish/kept_request.hpp"
#include "ingress/request/counting.hpp"

namespace sluice::ingress {

/// The life of a webhook. From `published` on the event is in Kafka, or in a synced journal on its way there,
/// and only from there on, or with a durable marker's word that it was, may the answer be success.
Task<Session::Ending> Session::take_request() {
    if (!has_head()) {
        const Gated<std::size_t> head = co_await read_head();
        if (!head) co_return refuse(head.error());
        now_.head_size = *head;
    }
    const Gated<void> admitted = pass_gate();
    if (!admitted) co_return refuse(admitted.error());
    if (is_over_its_share()) co_return decide(outcome_over_share());
    if (is_over_a_limit()) co_return decide(Outcome::limited);
    if (FP("ingress.after_gate")) co_return decide(Outcome::unavailable);
    if (!has_body()) {
        const Gated<void> body = co_await read_body();
        if (!body) co_return refuse(body.error());
        now_.stage_began = shard_.common.clock.steady();
    }

    const auto authentic = verify_signature();
    if (!authentic) co_return decide(Outcome::refused_signature);
    if (FP("ingress.after_verify")) co_return decide(Outcome::unavailable);
    if (now_.route->source->has_items) co_return co_await take_items();
    if (const auto read = extract_event(); !read) {
        const webhook::Unread& why = read.error();
        const publish::Published kept = co_await quarantine(why);
        co_return decide(publish::is_safe(kept) ? Outcome::quarantined : outcome_of(kept));
    }
    const record::EventHeaders& headers = event_.headers;
    const dedup::Marker marker{headers.dedup_key, record::mark(headers.dedup_key, headers.content_digest)};
    dedup::Counting counting = counting_of(*now_.route, &shard_.json);
    const dedup::Claim claimed =
        co_await shard_.deduplicator->claim(marker, counting.limits.empty() ? nullptr : &counting);
    note(claimed);
    note(counting);
    if (breaks_after_claim()) co_return decide(Outcome::unavailable);
    if (claimed == dedup::Claim::duplicate) {
        if (counting.is_counted()) shard_.deduplicator->take_back(counting);
        co_return decide(Outcome::duplicate, now_.stage_began);
    }
    if (counting.over) {
        if (claimed == dedup::Claim::fresh) shard_.deduplicator->release(marker);
        co_return decide(Outcome::limited, now_.stage_began);
    }

    const publish::Published published = co_await publish_event(marker);
    end_stage(Stage::publish);
    if (!publish::is_safe(published)) co_return decide(outcome_of(published));
    note(published);
    if (breaks_before_confirm()) co_return decide(Outcome::not_acked);
    if (published == publish::Published::stored) shard_.deduplicator->confirm(marker);
    if (breaks_before_answer()) co_return decide(Outcome::not_acked);
    co_return decide(Outcome::accepted, now_.stage_began);
}

bool Session::breaks_after_claim() {
    return FP("ingress.after_claim");
}
bool Session::breaks_before_confirm() {
    return FP("ingress.after_ack_before_confirm");
}
bool Session::breaks_before_answer() {
    return FP("ingress.after_confirm_before_answer");
}

Session::Gated<void> Session::pass_gate() {
    now_.began = shard_.common.clock.steady();
    const std::string_view bytes = buffer_->bytes().substr(0, now_.head_size);
    gate::Head& head = buffer_->head;
    if (const auto read = gate::read_head(bytes, head); !read) return std::unexpected{Stop{read.error()}};
    now_.head_is_read = true;
    now_.routes = shard_.routes;
    now_.route = now_.routes->find(head.path);
    const webhook::Source* source = now_.route == nullptr ? nullptr : now_.route->source.get();
    if (source != nullptr && !source->allow.empty() && !source->takes_from(client()))
        return std::unexpected{Stop{gate::Refusal::client_not_allowed}};
    if (source != nullptr) now_.times = &shard_.times.of(now_.route->stages);
    if (const auto admitted = gate::admit(head, source); !admitted)
        return std::unexpected{Stop{admitted.error()}};
    now_.stage_began = shard_.common.clock.steady();
    now_.times->add(Stage::gate, now_.stage_began - now_.began);
    return {};
}

/// A flood on one source's path leaves the others their connections.
bool Session::is_over_its_share() {
    now_.place = now_.route->take_place();
    if (now_.place) return false;
    now_.reason = "share";
    now_.leaves_body = !has_body();
    return true;
}

/// Of a provider that does not send again what is limited, the request counts as one that we failed.
Outcome Session::outcome_over_share() const {
    return now_.route->source->answers.can_be_limited ? Outcome::limited : Outcome::shed;
}

/// Before its body is read and anything dear is done. What is here of the body is skipped.
bool Session::is_over_a_limit() {
    const Route& route = *now_.route;
    const webhook::Source& source = *route.source;
    if (!shard_.common.clients.counts_requests(source.client_limit) || !source.answers.can_be_limited)
        return false;
    const auto over = shard_.common.clients.take_request(
        metered_, client(), {route.metered, source.client_limit, source.has_dear_checks}, now_.began);
    if (!over) return false;
    now_.reason = over->limit;
    now_.leaves_body = !has_body();
    rest_ = over->wait;
    return true;
}

/// Where a check is as cheap as a refusal without one, clients that send too many wrong signatures are made
/// slow instead, and nothing is remembered of authentic requests.
void Session::note_check(bool is_authentic) {
    const Route& route = *now_.route;
    ClientMeters& clients = shard_.common.clients;
    if (!clients.counts_checks()) return;
    const bool is_dear = route.source->has_dear_checks && route.source->answers.can_be_limited;
    if (is_authentic) {
        if (is_dear) clients.note_authentic(metered_, client(), route.metered, now_.began);
        return;
    }
    const bool is_within = clients.note_refused(metered_, client(), route.metered, now_.began);
    if (!is_within) rest_ = connection::rest_of_forger(++shard_.forgers_that_rested);
}

std::expected<void, webhook::Refusal> Session::verify_signature() {
    now_.received_at = shard_.common.clock.wall();
    // The body is whole. Its arrival depends on the sender's line, and has its own bound.
    now_.answer_by = now_.stage_began + now_.route->source->answer_within;
    auto authentic = webhook::verify(*now_.route->source, request(), now_.received_at, shard_.scratch);
    if (!authentic) {
        now_.reason = webhook::name_of(authentic.error().check);
        note_check(false);
        return std::unexpected{std::move(authentic.error())};
    }
    note_check(true);
    now_.key_id = authentic->key_id;
    if (authentic->key_number) now_.route->keys[*authentic->key_number]->Increment();
    if (authentic->signed_ago) now_.route->note_signed(*authentic->signed_ago);
    const gate::Head& head = buffer_->head;
    trace_ = trace::continue_trace(only_value(head, record::header::traceparent),
                                   only_value(head, record::header::tracestate));
    shard_.common.spans.decide(trace_);
    now_.trace = &trace_;
    return {};
}

webhook::Readable<void> Session::extract_event() {
    auto read = webhook::extract_into(event_, *now_.route->source, request(), shard_.json, true);
    end_stage(Stage::verify);
    if (!read) return read;
    complete(event_.headers);
    now_.event = &event_;
    note_delivery();
    return {};
}

/// The provider's id of a delivery is not signed, so it identifies no event; a second id is only counted.
void Session::note_delivery() {
    const std::string& header = now_.route->source->delivery_header;
    if (header.empty()) return;
    const auto id = webhook::find_header(request().headers, header);
    if (id && shard_.common.deliveries.is_other(event_.headers.dedup_key, *id))
        now_.route->other_ids->Increment();
}

/// What the request says of an event besides its own facts.
void Session::complete(record::EventHeaders& headers) {
    webhook::complete(headers, arrival());
    if (shard_.callbacks) headers.client = client().text();
    shard_.decisions.received(*now_.route->source, headers.type);
}

webhook::Arrival Session::arrival() const {
    return {now_.received_at, now_.key_id, trace_.traceparent(), trace_.state()};
}

void Session::note(dedup::Claim claimed) {
    end_stage(Stage::claim);
    now_.claim = name_of(claimed);
    now_.route->claims[static_cast<std::size_t>(claimed)]->Increment();
}

void Session::note(const dedup::Counting& counting) {
    if (counting.over) now_.reason = limit_name(*now_.route, counting);
    if (counting.is_unknown) now_.route->uncounted->Increment();
}

/// The journal's drain confirms what it has brought to Kafka: nothing is a duplicate before.
void Session::note(publish::Published published) {
    if (published == publish::Published::spilled) now_.reason = "spilled";
}

Task<publish::Published> Session::publish_event(const dedup::Marker& marker) {
    // The shard's memory is free again once the record is handed over, which is before any suspension.
    const auto headers = shard_.headers.encode(event_.headers);
    const publish::Record record{publish::Topic::events, event_.ordering_key, now_.body, headers, marker};
    return shard_.publisher->publish(record, now_.answer_by);
}

void Session::note(const webhook::Unread& why) {
    now_.reason = publish::quarantine_reason(why.code);
    now_.unread = why.why;
}

Task<publish::Published> Session::quarantine(webhook::Unread why) {
    note(why);
    const auto kept = publish::quarantine_record(*now_.route->source, request(), now_.key_id,
                                                 now_.received_at, trace_.traceparent(), why);
    const auto headers = kept.header_views();
    const publish::Record record{publish::Topic::quarantine, kept.key, now_.body, headers, std::nullopt};
    const publish::Published published = co_await shard_.publisher->publish(record, now_.answer_by);
    end_stage(Stage::publish);
    co_return published;
}

Session::Ending Session::decide(Outcome outcome) {
    return decide(outcome, shard_.common.clock.steady());
}

Session::Ending Session::decide(Outcome outcome, SteadyTime end) {
    now_.times->add(Stage::total, end - now_.began);
    shard_.decisions.made(outcome,
                          {.route = now_.route,
                           .event = now_.event,
                           .reason = now_.reason,
                           .unread = now_.unread,
                           .trace = now_.trace == nullptr ? std::string_view{} : now_.trace->trace_id(),
                           .claim = now_.claim,
                           .client = client(),
                           .took = end - now_.began});
    // A client that sends wrong signatures that are expensive to check must connect for each.
    const bool is_dear = outcome == Outcome::refused_signature && now_.route->source->has_dear_checks;
    const bool may_not_rest = rest_ > rest_.zero() && shard_.common.limits.is_rest_taken();
    const bool last = is_dear || now_.leaves_body || may_not_rest || shard_.common.limits.are_scarce() ||
                      !buffer_->head.keep_alive || shard_.ends_connections || shard_.draining ||
                      requests_ >= shard_.common.listen.max_requests_per_connection;
    const After after = last ? After::close : After::keep_open;
    const Ending ending{now_.route->answers.of(outcome, after), after};
    record_callback(outcome, end);
    if (now_.trace != nullptr && shard_.common.spans.wants(trace_, outcome)) tell_spans(outcome, ending, end);
    return ending;
}

void Session::tell_spans(Outcome outcome, const Ending& ending, SteadyTime end) const {
    const webhook::Source& source = *now_.route->source;
    shard_.common.spans.tell({.trace = trace_,
                              .outcome = outcome,
                              .method = buffer_->head.method,
                              .route = source.path,
                              .is_tls = stream_.is_tls(),
                              .source = source.name,
                              .event = now_.event,
                              .reason = now_.reason,
                              .claim = now_.claim,
                              .answer = ending.bytes,
                              .whole = {now_.began, end},
                              .claimed = now_.claimed,
                              .published = now_.published,
                              .items = now_.items},
                             shard_.common.clock.wall());
}

Session::Ending Session::refuse(const Stop& stop) {
    if (!stop.refusal) return {};
    if (*stop.refusal == gate::Refusal::body_too_large && now_.route != nullptr) {
        static_cast<void>(decide(Outcome::too_large));
        return {now_.route->answers.of(Outcome::too_large, After::close),
                After::close};  // its body is unread
    }
    if (*stop.refusal == gate::Refusal::method_not_allowed && answers_challenge())
        return {challenge_answer_, After::close};
    const bool is_the_sources = *stop.refusal == gate::Refusal::client_not_allowed;
    record_refusal(*stop.refusal);
    shard_.decisions.refused_at_gate(*stop.refusal, client(),
                                     is_the_sources ? now_.route->source.get() : nullptr);
    return {gate::response_of(*stop.refusal), After::close};
}

/// Whether this is a provider's GET that asks whether the address is ours; nothing of it goes any further.
bool Session::answers_challenge() {
    const gate::Head& head = buffer_->head;
    if (head.method != "GET" || now_.route == nullptr) return false;
    const webhook::Source& source = *now_.route->source;
    auto answer = webhook::answer_challenge(source, head.target, shard_.common.clock.wall());
    if (!answer) return false;
    challenge_answer_ = gate::raw_response({200, "text/plain", std::move(*answer)}, "", After::close);
    shard_.decisions.answered_challenge(source, client());
    return true;
}

/// As a rule all of it: then no operation has to be begun.
bool Session::writes_at_once(const Ending& ending) {
    if (ending.bytes.empty()) return false;
    gate::write_dated(buffer_->answer, ending.bytes, shard_.date.at(shard_.common.clock.wall()));
    now_.unwritten = std::string_view{buffer_->answer}.substr(stream_.write_now(buffer_->answer));
    return now_.unwritten.empty();
}

Task<bool> Session::write_rest() {
    if (now_.unwritten.empty()) co_return false;
    const Transfer transfer = co_await write(now_.unwritten);
    co_return end_write(transfer);
}

bool Session::breaks_after_answer() {
    return FP("ingress.after_answer");
}

webhook::Request Session::request() const {
    const gate::Head& head = buffer_->head;
    return {head.method, head.target, head.fields(), now_.body};
}

void Session::end_stage(Stage stage) {
    const SteadyTime end = shard_.common.clock.steady();
    now_.times->add(stage, end - now_.stage_began);
    if (stage == Stage::claim) now_.claimed = {now_.stage_began, end};
    if (stage == Stage::publish) now_.published = {now_.stage_began, end};
    now_.stage_began = end;
}

}  // namespace sluice::ingress
