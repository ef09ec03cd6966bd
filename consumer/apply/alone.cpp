#include "consumer/apply/alone.hpp"

#include <array>

#include "common/failpoint.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds lock_wait_alone{1};
// So many lost locks with no success between them are the database's trouble, not this key's.
constexpr int most_contended_in_a_row = 30;

}  // namespace

Settled Alone::run(Item item, Backlog& backlog, const Session& session) {
    tools_.partitions.set_waiting(item.record.at, false);
    if (!decode(item)) {
        return bury_without_row(std::move(item), "undecodable", "the record lacks headers that it must carry",
                                backlog);
    }
    store::Connection& connection = session.connection;
    if (auto set = connection.set_lock_wait(lock_wait_alone); !set) {
        return database_failed(std::move(item), set.error(), backlog, session);
    }
    const auto dropped = store::dropped_before(connection);
    if (!dropped) return database_failed(std::move(item), dropped.error(), backlog, session);
    if (is_too_old(item, *dropped)) return known_already(std::move(item), backlog, session);

    std::array<Item*, 1> items{&item};
    auto applied = transaction_.apply(items, {}, connection, session.claimant);
    if (applied) {
        tools_.decisions.committed(item, tools_.clock.wall());
        return finish(item, applied->front() == store::InboxStatus::ignored ? Fate::ignored : Fate::done,
                      backlog);
    }
    const Transaction::Failed& failed = applied.error();
    if (failed.inbox_insert && failed.setback.database == store::ErrorClass::duplicate) {
        return known_already(std::move(item), backlog, session);
    }
    return setback(std::move(item), failed.setback, backlog, session);
}

Settled Alone::known_already(Item item, Backlog& backlog, const Session& session) {
    auto found = store::find(session.connection, inbox_key(item));
    if (!found) return database_failed(std::move(item), found.error(), backlog, session);
    if (!*found) {
        const auto dropped = store::dropped_before(session.connection);
        if (!dropped) return database_failed(std::move(item), dropped.error(), backlog, session);
        if (is_too_old(item, *dropped)) {
            return bury_without_row(std::move(item), "too_old", "its day was dropped from the inbox",
                                    backlog);
        }
        // Whoever held the key rolled back after we lost to it: start over.
        return hold(std::move(item), Fate::contended, "its inbox row vanished", backlog);
    }
    const store::InboxRow& row = **found;
    if (row.content_digest != item.event.content_digest) {
        if (row.source != item.event.source) return finish(item, Fate::duplicate_of_peer, backlog);
        return bury_without_row(std::move(item), "conflict", "the event id came before with other content",
                                backlog);
    }
    if (row.status == store::InboxStatus::dead && row.dlq == store::DlqRecord::owed) {
        return hand_over(std::move(item), row.error_class, row.error_text, backlog, &session);
    }
    return finish(item, Fate::duplicate, backlog);
}

Settled Alone::setback(Item item, const Setback& setback, Backlog& backlog, const Session& session) {
    const SteadyTime now = tools_.clock.steady();
    const bool first = !item.first_failed;
    const auto trying_for =
        first ? Milliseconds{0} : std::chrono::duration_cast<Milliseconds>(now - *item.first_failed);
    const Decision decision =
        setback.own_class.empty()
            ? tools_.policy.decide(setback.outcome, setback.database, item.attempts + 1, trying_for)
            : Decision{Next::dead, setback.own_class};
    if (decision.next == Next::trouble) return stop(std::move(item), setback.reason, backlog, session);
    if (decision.next == Next::contention)
        return hold(std::move(item), Fate::contended, setback.reason, backlog);
    if (first) {
        item.first_failed = now;
        item.first_failed_at = tools_.clock.wall();
    }
    ++item.attempts;
    item.last_reason = setback.reason;
    if (decision.next == Next::again) return hold(std::move(item), Fate::retried, setback.reason, backlog);
    if (decision.next == Next::dead) {
        return bury(std::move(item), decision.error_class, setback.reason, backlog, session);
    }
    if (item.attempts == 1) tools_.decisions.say(Fate::deferred, item, {}, setback.reason);
    tools_.partitions.set_waiting(item.record.at, true);
    const auto until = now + backoff_.after(item.attempts, random_);
    backlog.set_aside(std::move(item), until);
    return Settled::kept;
}

Settled Alone::bury(Item item, std::string_view error_class, std::string reason, Backlog& backlog,
                    const Session& session) {
    store::Connection& connection = session.connection;
    if (auto inserted = insert_dead(item, error_class, reason, connection); !inserted) {
        if (connection.alive() && connection.in_transaction()) (void)connection.rollback();
        if (store::class_of(inserted.error()) == store::ErrorClass::duplicate) {
            return known_already(std::move(item), backlog, session);
        }
        if (store::class_of(inserted.error()) == store::ErrorClass::data) {
            // Not even its inbox row can be written (a record from elsewhere, with an id that is too long).
            return bury_without_row(std::move(item), error_class, std::move(reason), backlog);
        }
        return database_failed(std::move(item), inserted.error(), backlog, session);
    }
    (void)FP("consumer.after_dead_commit");
    return hand_over(std::move(item), error_class, reason, backlog, &session);
}

Result<void> Alone::insert_dead(Item& item, std::string_view error_class, const std::string& reason,
                                store::Connection& connection) {
    store::InboxEntry entry = inbox_entry(item, tools_.rules, store::InboxStatus::dead, tools_.clock.wall());
    entry.dlq = store::DlqRecord::owed;
    entry.error_class = error_class;
    entry.error_text = reason;
    if (auto begun = connection.begin(); !begun) return begun;
    if (auto inserted = store::insert(connection, {&entry, 1}); !inserted) return inserted;
    if (keeps_payload(tools_.rules.payload, entry.status)) {
        std::array<Item*, 1> items{&item};
        if (auto stored = insert_payloads(items, connection); !stored) return stored;
    }
    return connection.commit();
}

Settled Alone::bury_without_row(Item item, std::string_view error_class, std::string reason,
                                Backlog& backlog) {
    if (item.first_failed_at == WallTime{}) item.first_failed_at = tools_.clock.wall();
    return hand_over(std::move(item), error_class, reason, backlog, nullptr);
}

Settled Alone::hand_over(Item item, std::string_view error_class, const std::string& reason, Backlog& backlog,
                         const Session* session) {
    if (item.first_failed_at == WallTime{}) item.first_failed_at = tools_.clock.wall();
    const DeathNotice notice{error_class, reason, std::max(item.attempts, 1), item.first_failed_at};
    if (auto published = tools_.publisher.publish(dead_letter(item.record, tools_.dead_letters, notice));
        !published) {
        const std::string why =
            "topic " + tools_.dead_letters.topic + " takes no dead letters: " + published.error().message();
        tools_.readiness.set_unready("dlq", why);
        tools_.decisions.dead_letter_failed(item, why);
        return hold(std::move(item), Fate::contended, why, backlog);
    }
    tools_.readiness.set_ready("dlq");
    if (session != nullptr) {
        auto marked = store::mark_dlq_sent(session->connection, inbox_key(item));
        if (!marked) return database_failed(std::move(item), marked.error(), backlog, *session);
        (void)FP("consumer.after_dlq_sent");
    }
    return finish(item, Fate::dead, backlog, error_class, reason);
}

Settled Alone::finish(const Item& item, Fate fate, Backlog& backlog, std::string_view error_class,
                      std::string_view reason) {
    contended_in_a_row_ = 0;
    tools_.partitions.finish(item.record.at);
    tools_.decisions.say(fate, item, error_class, reason);
    backlog.finished(item.record, fate == Fate::done || fate == Fate::ignored);
    return Settled::finished;
}

Settled Alone::hold(Item item, Fate fate, std::string_view reason, Backlog& backlog) {
    tools_.decisions.say(fate, item, {}, reason);
    const auto until = tools_.clock.steady() + backoff_.after(std::max(item.attempts, 3), random_);
    tools_.partitions.set_waiting(item.record.at, fate == Fate::retried);
    backlog.hold(std::move(item), until);
    return Settled::kept;
}

Settled Alone::contended(Item item, std::string reason, Backlog& backlog, const Session& session) {
    if (++contended_in_a_row_ < most_contended_in_a_row)
        return hold(std::move(item), Fate::contended, reason, backlog);
    contended_in_a_row_ = 0;
    return stop(std::move(item), std::move(reason), backlog, session);
}

Settled Alone::stop(Item item, std::string why, Backlog& backlog, const Session& session) {
    session.trouble = std::move(why);
    std::vector<Item> items;
    items.push_back(std::move(item));
    backlog.put_back(std::move(items));
    return Settled::trouble;
}

Settled Alone::database_failed(Item item, std::error_code error, Backlog& backlog, const Session& session) {
    const Setback setback = statement_failed(session.connection, error);
    if (setback.database == store::ErrorClass::lost_lock)
        return contended(std::move(item), setback.reason, backlog, session);
    // One of our own statements failed; whatever the reason, the event is not at fault.
    return stop(std::move(item), setback.reason, backlog, session);
}

}  // namespace sluice::consumer
