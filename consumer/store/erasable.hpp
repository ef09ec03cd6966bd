#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/connection.hpp"
#include "consumer/store/inbox.hpp"
#include "consumer/store/operator_action.hpp"

namespace sluice::store {

/// What stands in the tables about one object: what can be erased, row by row, and what stays.
struct Erasable {
    std::map<std::chrono::sys_days, std::vector<crypto::Digest>>
        events;                               ///< finished, with something to take
    std::vector<std::int64_t> letters;        ///< closed entries, the same
    std::vector<ActionId> actions;            ///< the same
    std::int64_t payloads = 0;                ///< archived requests of `events`
    std::int64_t inbox_rows = 0;              ///< of `events`, with words of an error
    std::int64_t known_events = 0;            ///< rows of the inbox: they stay
    std::int64_t unfinished = 0;              ///< of those
    std::int64_t known_letters = 0;           ///< entries, and so
    std::int64_t known_actions = 0;           ///< what operators did
    std::map<std::string, std::int64_t> had;  ///< events by the name of an effect that they had
    std::int64_t had_unknown = 0;             ///< done by a release that did not write down what they had
    std::int64_t nobodys = 0;  ///< entries of other requests that could not be read, with a body

    [[nodiscard]] bool is_known() const noexcept {
        return known_events > 0 || known_letters > 0 || known_actions > 0;
    }
    [[nodiscard]] bool is_empty() const noexcept {
        return events.empty() && letters.empty() && actions.empty();
    }
};

/// Walks the inbox, the entries and what operators did, a thousand rows with each statement, since none of
/// them has an index on the object: no statement takes long, the walk may. Of the object are, besides what
/// has its key, closed entries of requests that its events were read from later. No locks.
[[nodiscard]] Result<Erasable> find_erasable(Connection& connection, std::string_view object_key);

}  // namespace sluice::store
