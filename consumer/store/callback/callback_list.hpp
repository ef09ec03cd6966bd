#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consumer/store/callback/callback.hpp"
#include "consumer/store/inbox/inbox.hpp"

namespace sluice::store {

/// Which callbacks are asked for: those for which all that is set holds. Texts are compared byte for byte.
struct CallbackFilter {
    std::optional<std::vector<crypto::Digest>> events{};  ///< one of these
    std::optional<std::string> object_key{};
    std::optional<std::string> client{};
    std::optional<std::string> source{};
    std::optional<std::string> verdict{};
    std::optional<WallTime> since{};
    std::optional<WallTime> until{};  ///< exclusive
    std::int64_t limit = 50;
};

/// A row, and what its event came to.
struct ListedCallback {
    std::chrono::sys_days day;  ///< with `place`: its key
    CallbackPlace place;
    WallTime received_at;
    std::string source;
    std::string verdict;
    std::string reason;
    std::optional<std::int64_t> status;
    std::string client;
    std::int64_t requests = 1;
    std::string trace;  ///< 16 bytes, or none
    std::optional<std::int64_t> body_size;
    std::optional<std::int64_t> took_us;
    std::string event_id;
    std::string type;
    std::string object_key;
    std::optional<InboxKey> event;
    std::string event_status;  ///< of the event's row in the inbox; empty: it has none
    std::string had_effects;   ///< a JSON array; empty: it is not finished, or is not there
    std::string payment;       ///< the kind; empty: none
    std::optional<std::int64_t> amount;
    std::string currency;
    std::string headers;  ///< a JSON array; empty: not kept, or it comes from `list_callbacks`
    std::optional<std::string> body;
};

/// The newest, at most `limit`, the newest last, without what is kept of the requests; no locks. By event,
/// object, client or time an index is used; by nothing else than source and verdict all of `since` to `until`
/// is read.
[[nodiscard]] Result<std::vector<ListedCallback>> list_callbacks(Connection& connection,
                                                                 const CallbackFilter& filter);

/// One of them; nullopt: there is none. Of two that were at one place, in a log and in the one that was made
/// anew on the same day, the later.
[[nodiscard]] Result<std::optional<ListedCallback>> find_callback(Connection& connection,
                                                                  std::chrono::sys_days day,
                                                                  const CallbackPlace& place);

}  // namespace sluice::store
