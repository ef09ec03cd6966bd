#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

namespace sluice::store {

/// What the tables hold about one object: what can be erased, row by row, and what stays.
struct Erasable {
    std::map<std::chrono::sys_days, std::vector<crypto::Digest>>
        events;                              ///< finished ones with something to erase
    std::vector<std::int64_t> dead_letters;  ///< closed entries with something to erase
    std::vector<ActionId> actions;           ///< of operators, with something to erase
    std::int64_t payloads = 0;               ///< archived requests of `events`
    std::int64_t inbox_rows = 0;     ///< of `events`, those with words of an error or numbers of a payment
    std::int64_t with_messages = 0;  ///< of `events`, those with messages in the outbox
    std::int64_t known_events = 0;   ///< rows of the inbox: they stay
    std::int64_t unfinished = 0;     ///< of `known_events`
    std::int64_t callbacks = 0;      ///< that keep something of a request
    std::int64_t known_dead_letters = 0;      ///< entries: they stay
    std::int64_t known_actions = 0;           ///< of operators: they stay
    std::map<std::string, std::int64_t> had;  ///< how many events had each effect, by its name
    std::int64_t had_unknown = 0;             ///< done by a release that did not record effects
    std::int64_t nobodys = 0;                 ///< entries of other unreadable requests, with a body

    [[nodiscard]] bool is_known() const noexcept {
        return known_events > 0 || known_dead_letters > 0 || known_actions > 0 || callbacks > 0;
    }
    [[nodiscard]] bool is_empty() const noexcept {
        return events.empty() && dead_letters.empty() && actions.empty() && callbacks == 0;
    }
};

/// Walks the inbox, the entries and the operators' actions, a thousand rows with each statement, since none
/// of these tables has an index on `object_key`. No statement takes long; the walk may. Besides rows with its
/// key, the object has the entries of requests that its events were read from later, and the operators'
/// actions on its entries. No locks.
[[nodiscard]] Result<Erasable> find_erasable(Connection& connection, std::string_view object_key);

}  // namespace sluice::store
