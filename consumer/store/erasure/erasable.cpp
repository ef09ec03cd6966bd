#include "consumer/store/erasure/erasable.hpp"

#include <array>
#include <set>
#include <tuple>

#include "consumer/store/callback/callback.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/inbox/past_events.hpp"
#include "consumer/store/lane/lane.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

/// topic, partition, offset
using LogPlace = std::tuple<std::string, std::int64_t, std::int64_t>;

struct Search {
    std::string object_key;  ///< as the columns have it
    Erasable found{};
    std::set<LogPlace> read_from{};         ///< where its events' records lie
    std::set<std::int64_t> dead_letters{};  ///< all entries of the object
};

bool is_finished(InboxStatus status) {
    return status == InboxStatus::done || status == InboxStatus::ignored || status == InboxStatus::skipped;
}

void note_effects(const InboxRow& row, Erasable& found) {
    if (row.had_effects) {
        for (const auto& name : *row.had_effects) ++found.had[name];
    } else if (row.status == InboxStatus::done) {
        ++found.had_unknown;
    }
}

/// What an error said, or by which numbers its payment is known.
bool has_words(const InboxRow& row) {
    return !row.error_text.empty() || !row.reference.empty() || !row.transaction.empty();
}

void take_event(const PastEvent& event, Search& search) {
    Erasable& found = search.found;
    const InboxRow& row = event.row;
    ++found.known_events;
    search.read_from.emplace(row.topic, row.partition, row.offset);
    note_effects(row, found);
    if (!is_finished(row.status)) {
        ++found.unfinished;
        return;
    }
    if (event.headers) ++found.payloads;
    if (has_words(row)) ++found.inbox_rows;
    if (event.has_messages) ++found.with_messages;
    if (event.headers || has_words(row) || event.has_messages)
        found.events[row.key.event_day].push_back(row.key.dedup_key);
}

Result<void> walk_inbox(Connection& connection, Search& search) {
    PastFilter filter;
    filter.object_key = search.object_key;
    filter.of_any_status = true;
    for (std::optional<InboxKey> after{first_key}; after;) {
        const auto page = past_events(connection, filter, *after);
        if (!page) return Failure{page.error()};
        for (const auto& event : page->events) take_event(event, search);
        after = page->next;
    }
    return {};
}

// The page first, by its key alone: conditions in one piece would walk on to the next match.
constexpr std::string_view dead_letters_page =
    "SELECT id, kind, object_key = ?, topic, partition_no, offset_no, closed_at IS NOT NULL,"
    " body IS NOT NULL, headers IS NOT NULL OR body IS NOT NULL OR error_text <> ?"
    " OR reference IS NOT NULL OR transaction IS NOT NULL FROM dead_letter"
    " WHERE id > ? AND id <= ? AND (object_key = ? OR kind = 'unreadable')";

void take_dead_letter(const Row& columns, Search& search) {
    const auto number = [&](std::size_t column) { return std::get<std::int64_t>(columns.at(column)); };
    const bool is_message =
        text_column(columns.at(1)) == name_of(DeadLetterKind::message);  // of no place in a log
    const bool is_the_objects =
        number(2) != 0 ||
        (!is_message && search.read_from.contains({text_column(columns.at(3)), number(4), number(5)}));
    if (!is_the_objects) {
        if (number(7) != 0) ++search.found.nobodys;
        return;
    }
    ++search.found.known_dead_letters;
    search.dead_letters.insert(number(0));
    if (number(6) != 0 && number(8) != 0) search.found.dead_letters.push_back(number(0));
}

Result<std::int64_t> highest_dead_letter(Connection& connection) {
    const auto rows = connection.query("SELECT COALESCE(MAX(id), 0) FROM dead_letter", {});
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->at(0).at(0));
}

Result<void> walk_dead_letters(Connection& connection, Search& search) {
    const auto highest = highest_dead_letter(connection);
    if (!highest) return Failure{highest.error()};
    constexpr std::int64_t step = 1000;
    for (std::int64_t after = 0; after < *highest; after += step) {
        const std::array<Datum, 5> parameters{Bytes{search.object_key}, Bytes{erased_word}, after,
                                              after + step, Bytes{search.object_key}};
        const auto rows = connection.query(dead_letters_page, parameters);
        if (!rows) return Failure{rows.error()};
        for (const auto& columns : *rows) take_dead_letter(columns, search);
    }
    return {};
}

// Pages by id, without a filter: a page that is not full is the last one.
constexpr std::string_view actions_page =
    "SELECT id, object_key = ?, dead_letter, reason <> ? FROM operator_action WHERE id > ? ORDER BY id"
    " LIMIT 1000";

void take_action(const Row& columns, const ActionId& id, Search& search) {
    const auto* dead_letter = std::get_if<std::int64_t>(&columns.at(2));
    const bool is_the_objects = std::get<std::int64_t>(columns.at(1)) != 0 ||
                                (dead_letter != nullptr && search.dead_letters.contains(*dead_letter));
    if (!is_the_objects) return;
    ++search.found.known_actions;
    if (std::get<std::int64_t>(columns.at(3)) != 0) search.found.actions.push_back(id);
}

Result<void> walk_actions(Connection& connection, Search& search) {
    std::string after;
    for (std::size_t count = 1000; count == 1000;) {
        const std::array<Datum, 3> parameters{Bytes{search.object_key}, Bytes{erased_word}, Bytes{after}};
        const auto rows = connection.query(actions_page, parameters);
        if (!rows) return Failure{rows.error()};
        count = rows->size();
        for (const auto& columns : *rows) take_action(columns, action_id_column(columns.at(0)), search);
        if (count > 0) after = text_column(rows->back().at(0));
    }
    return {};
}

}  // namespace

Result<Erasable> find_erasable(Connection& connection, std::string_view object_key) {
    Search search{.object_key = std::string{object_key.substr(0, longest_object_key)}};
    if (auto done = walk_inbox(connection, search); !done) return Failure{done.error()};
    if (auto done = walk_dead_letters(connection, search); !done) return Failure{done.error()};
    if (auto done = walk_actions(connection, search); !done) return Failure{done.error()};
    const auto callbacks = count_kept_requests(connection, object_key);
    if (!callbacks) return Failure{callbacks.error()};
    search.found.callbacks = *callbacks;
    return std::move(search.found);
}

}  // namespace sluice::store
