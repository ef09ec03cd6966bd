#include "consumer/main_role/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/busy_lanes.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/apply/outbox_bell.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::consumer {
namespace {

std::error_code injected() {
    return make_error_code(errc::injected);
}

store::InboxStatus status_of(const std::vector<const effects::Effect*>& matching) {
    return matching.empty() ? store::InboxStatus::ignored : store::InboxStatus::done;
}

}  // namespace

std::expected<std::vector<store::InboxStatus>, Transaction::Failed> Transaction::apply(
    std::span<Item* const> items, const std::vector<Coordinates>& settled_with, store::Connection& connection,
    const OffsetWriter& writer) {
    const std::vector<Matching> matching = read(items);
    std::vector<store::InboxStatus> statuses;
    std::ranges::transform(matching, std::back_inserter(statuses), status_of);
    std::vector<Coordinates> applied = settled_with;
    for (const Item* item : items) applied.push_back(item->record.at);
    const auto give_up = [&](Failed failed) {
        // What was lost with the connection is rolled back by the server.
        if (connection.alive() && connection.in_transaction()) (void)connection.rollback();
        return std::unexpected(std::move(failed));
    };
    const auto statement = [&](std::error_code error) {
        return Failed{.setback = statement_failed(connection, error)};
    };

    if (auto begun = connection.begin(); !begun) return give_up(statement(begun.error()));
    if (FP("consumer.after_begin")) return give_up(statement(injected()));
    if (auto inserted = insert(items, matching, connection); !inserted)
        return give_up(std::move(inserted.error()));
    if (FP("consumer.after_inbox_insert")) return give_up(statement(injected()));
    if (auto open = look_at_lanes(items, connection); !open) return give_up(std::move(open.error()));
    if (auto run = run_effects(items, matching, connection); !run) return give_up(std::move(run.error()));
    if (FP("consumer.after_effects")) return give_up(statement(injected()));

    const std::vector<AppliedOffset> offsets = partitions_.offsets_with(applied);
    if (auto written = write_applied_offsets(connection, writer, offsets); !written) {
        return give_up(statement(written.error()));
    }
    if (FP("consumer.before_commit")) return give_up(statement(injected()));
    if (auto still = still_in_force(connection, rules_); !still) return give_up(statement(still.error()));
    if (auto committed = connection.commit(); !committed) return give_up(statement(committed.error()));
    (void)FP("consumer.after_commit");
    tell_relay(matching);
    partitions_.answered(applied, offsets);
    return statuses;
}

std::vector<Transaction::Matching> Transaction::read(std::span<Item* const> items) {
    std::vector<Matching> matching;
    matching.reserve(items.size());
    values_.start(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        Item& item = *items[i];
        if (rules_.effects.asks_body(item.event)) note_payment(item, rules_.sources);
        matching.push_back(effects_for(item, rules_));
        if (items.size() > 1) read_values(i, item, matching.back());
        note_payment(item, rules_.sources);
    }
    return matching;
}

void Transaction::read_values(std::size_t number, Item& item, const Matching& matching) {
    const auto is_set_based = [](const effects::Effect* effect) { return effect->set_based() != nullptr; };
    if (matching.empty() || !std::ranges::all_of(matching, is_set_based)) return;
    if (!one_.read_body(item)) return;  // the run says why
    values_.read(number, {item.event, matching}, one_.body());
    one_.note_payment(item);
}

std::expected<void, Transaction::Failed> Transaction::insert(std::span<Item* const> items,
                                                             std::span<const Matching> matching,
                                                             store::Connection& connection) {
    const WallTime now = clock_.wall();
    std::vector<store::InboxEntry> entries;
    entries.reserve(items.size());
    std::vector<std::string> had;  // seen by the entries
    had.reserve(items.size());
    std::vector<Item*> archived;
    for (std::size_t i = 0; i < items.size(); ++i) {
        entries.push_back(inbox_entry(*items[i], rules_, status_of(matching[i]), now));
        const bool is_as_before = i > 0 && matching[i] == matching[i - 1];
        if (!is_as_before) had.push_back(store::effects_text(names_of(matching[i])));
        entries.back().had_effects = had.back();
        if (keeps_payload(rules_.payload, entries.back().status)) archived.push_back(items[i]);
    }
    // Rows are locked in sorted order: unsorted batches deadlock each other.
    std::ranges::sort(entries, {}, &store::InboxEntry::key);
    std::ranges::sort(archived, {}, [](const Item* item) { return inbox_key(*item); });
    if (auto inserted = store::insert(connection, entries); !inserted) {
        return std::unexpected(
            Failed{.setback = statement_failed(connection, inserted.error()), .inbox_insert = true});
    }
    if (auto stored = insert_payloads(archived, connection); !stored) {
        return std::unexpected(Failed{.setback = statement_failed(connection, stored.error())});
    }
    return {};
}

std::expected<void, Transaction::Failed> Transaction::look_at_lanes(std::span<Item* const> items,
                                                                    store::Connection& connection) {
    auto busy = busy_lanes_of(items, connection);
    if (!busy) return std::unexpected(Failed{.setback = statement_failed(connection, busy.error())});
    if (busy->empty()) return {};
    return std::unexpected(Failed{.busy = std::move(*busy)});
}

std::expected<void, Transaction::Failed> Transaction::run_effects(std::span<Item* const> items,
                                                                  std::span<const Matching> matching,
                                                                  store::Connection& connection) {
    if (items.size() > 1) {
        auto run = run_together(items, matching, connection);
        tell_holds(matching, run ? nullptr : &run.error());
        return run;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (auto run = one_.run(*items[i], matching[i], connection); !run)
            return std::unexpected(Failed{.setback = std::move(run.error()), .culprit = i});
    }
    return {};
}

void Transaction::tell_holds(std::span<const Matching> matching, const Failed* failed) {
    if (rules_.holds == nullptr) return;
    if (failed != nullptr) {
        if (failed->culprit) rules_.holds->ran(matching[*failed->culprit], &failed->setback);
        return;
    }
    if (rules_.holds->is_calm()) return;
    for (const Matching& effects : matching) rules_.holds->ran(effects, nullptr);
}

void Transaction::tell_relay(std::span<const Matching> matching) {
    const auto sends = [](const Matching& effects) {
        return std::ranges::any_of(effects, &effects::Effect::sends);
    };
    if (rules_.bell != nullptr && std::ranges::any_of(matching, sends)) rules_.bell->ring();
}

std::expected<void, Transaction::Failed> Transaction::run_together(std::span<Item* const> items,
                                                                   std::span<const Matching> matching,
                                                                   store::Connection& connection) {
    std::vector<effects::BatchEvent> events;
    events.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) events.push_back({items[i]->event, matching[i]});
    std::map<std::size_t, Setback> unreadable;
    const auto body_of = [&](std::size_t event) -> std::optional<effects::EventBody> {
        auto read = one_.read_body(*items[event]);
        if (!read) unreadable.insert_or_assign(event, std::move(read.error()));
        return read ? std::optional{one_.body()} : std::nullopt;
    };
    auto run = batch_run_.run(events, values_, body_of, connection, clock_.steady());
    if (run) return {};
    const effects::BatchFailure& failure = run.error();
    const auto found = failure.culprit ? unreadable.find(*failure.culprit) : unreadable.end();
    if (found != unreadable.end() && failure.verdict.error == errc::unreadable_body) {
        return std::unexpected(Failed{.setback = std::move(found->second), .culprit = failure.culprit});
    }
    return std::unexpected(
        Failed{.setback = setback_of(failure.verdict, connection).error(), .culprit = failure.culprit});
}

}  // namespace sluice::consumer
