// The life of a delivery that carries several events: one record each, and one answer for all of them.
#include <algorithm>
#include <utility>

#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ingress/asio/rendezvous.hpp"
#include "ingress/publish/kept_request.hpp"
#include "ingress/request/counting.hpp"
#include "ingress/request/session.hpp"

namespace sluice::ingress {

/// One event of the delivery on its way.
struct Session::Part {
    webhook::Item item;
    std::optional<dedup::Marker> marker{};  ///< none: it cannot be read
    dedup::Claim claim = dedup::Claim::fresh;
    publish::Published published = publish::Published::not_acked;
};

/// All claims are resolved first, so that what is published goes out in the order of the delivery, with the
/// whole of it before. What the broker has is confirmed even where the answer is no success: the provider
/// sends everything again, and only the rest is published then.
Task<Session::Ending> Session::take_items() {
    auto items = webhook::extract_items(*now_.route->source, request(), shard_.json, shard_.item, true);
    end_stage(Stage::verify);
    if (!items) {
        const webhook::Unread& why = items.error();
        const publish::Published kept = co_await quarantine(why);
        co_return decide(publish::is_safe(kept) ? Outcome::quarantined : outcome_of(kept));
    }
    std::vector<Part> parts = parts_of(std::move(*items));
    dedup::Counting counting = counting_of(*now_.route, nullptr);
    co_await claim_all(parts, counting.limits.empty() ? nullptr : &counting);
    note(counting);
    if (breaks_after_claim()) co_return decide(Outcome::unavailable);
    std::erase_if(parts, [](const Part& part) { return part.claim == dedup::Claim::duplicate; });
    if (parts.empty()) {
        if (counting.is_counted()) shard_.deduplicator->take_back(counting);
        co_return decide(Outcome::duplicate);
    }
    if (counting.over) {
        release_all(parts);
        co_return decide(Outcome::limited);
    }
    now_.items = parts.size();

    const publish::Published original = co_await publish_original();
    publish::Published published = original;
    if (publish::is_safe(original)) published = co_await publish_all(parts);
    if (breaks_before_confirm()) co_return decide(Outcome::not_acked);
    for (const Part& part : parts) {
        const bool is_stored = part.published == publish::Published::stored;
        if (is_stored && part.marker) shard_.deduplicator->confirm(*part.marker);
    }
    if (!publish::is_safe(published)) co_return decide(outcome_of(published));
    note(original);
    note(published);
    if (breaks_before_answer()) co_return decide(Outcome::not_acked);
    const bool any_is_read =
        std::ranges::any_of(parts, [](const Part& part) { return part.marker.has_value(); });
    if (!any_is_read) note(parts.front().item.event.error());
    co_return decide(any_is_read ? Outcome::accepted : Outcome::quarantined);
}

std::vector<Session::Part> Session::parts_of(std::vector<webhook::Item> items) {
    std::vector<Part> parts;
    parts.reserve(items.size());
    for (webhook::Item& item : items) {
        Part part{std::move(item)};
        if (part.item.event) {
            record::EventHeaders& headers = part.item.event->headers;
            complete(headers);
            part.marker = {headers.dedup_key, record::mark(headers.dedup_key, headers.content_digest)};
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

/// The delivery is counted once, with the first of its events that is claimed.
Task<void> Session::claim_all(std::vector<Part>& parts, dedup::Counting* counting) {
    Rendezvous claims{shard_.io.get_executor()};
    for (Part& part : parts) {
        if (part.marker) claims.start(claim_part(part, std::exchange(counting, nullptr)));
    }
    co_await claims.all_ended();
    end_stage(Stage::claim);
}

Task<void> Session::claim_part(Part& part, dedup::Counting* counting) {
    part.claim = co_await shard_.deduplicator->claim(*part.marker, counting);
    now_.route->claims[static_cast<std::size_t>(part.claim)]->Increment();
}

void Session::release_all(const std::vector<Part>& parts) {
    for (const Part& part : parts)
        if (part.marker && part.claim == dedup::Claim::fresh) shard_.deduplicator->release(*part.marker);
}

Task<publish::Published> Session::publish_original() {
    const auto kept = publish::original_record(*now_.route->source, request(), now_.key_id, now_.received_at,
                                               trace_.traceparent());
    const auto headers = kept.header_views();
    const publish::Record record{publish::Topic::originals, kept.key, now_.body, headers, std::nullopt};
    co_return co_await shard_.publisher->publish(record, now_.answer_by);
}

/// `stored` when all are; `spilled` when the others are safe too; else the outcome of the first that is not.
Task<publish::Published> Session::publish_all(std::vector<Part>& parts) {
    Rendezvous records{shard_.io.get_executor()};
    for (Part& part : parts) records.start(publish_part(part));
    co_await records.all_ended();
    end_stage(Stage::publish);
    const auto bad =
        std::ranges::find_if(parts, [](const Part& part) { return !publish::is_safe(part.published); });
    if (bad != parts.end()) co_return bad->published;
    const bool any_is_spilled = std::ranges::contains(parts, publish::Published::spilled, &Part::published);
    co_return any_is_spilled ? publish::Published::spilled : publish::Published::stored;
}

Task<void> Session::publish_part(Part& part) {
    // As in publish_event: the shard's memory is read before anything suspends.
    if (part.item.event) {
        const auto headers = shard_.headers.encode(part.item.event->headers);
        const publish::Record record{publish::Topic::events, part.item.event->ordering_key, part.item.value,
                                     headers, part.marker};
        part.published = co_await shard_.publisher->publish(record, now_.answer_by);
        co_return;
    }
    webhook::Request item = request();
    item.body = part.item.value;
    auto kept = publish::quarantine_record(*now_.route->source, item, now_.key_id, now_.received_at,
                                           trace_.traceparent(), part.item.event.error());
    publish::name_item(kept, part.item);
    const auto headers = kept.header_views();
    const publish::Record record{publish::Topic::quarantine, kept.key, part.item.value, headers,
                                 std::nullopt};
    part.published = co_await shard_.publisher->publish(record, now_.answer_by);
}

}  // namespace sluice::ingress
