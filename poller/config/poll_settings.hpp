#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/credential.hpp"
#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "poller/fetch/get.hpp"
#include "poller/list/event_list.hpp"
#include "poller/list/wanted.hpp"
#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// How a list is compared with the inbox again and again: the mapping `reconcile` in `poll`.
struct ReconcileSettings {
    Milliseconds every{std::chrono::hours{6}};
    Milliseconds window{std::chrono::hours{48}};  ///< at least three times `every`: windows overlap
    bool applies = false;                         ///< what is missing is injected
};

/// How one source's list is asked: the mapping `poll` of its entry in `sources`.
struct PollSettings {
    std::shared_ptr<const webhook::Source> source;
    const EventList* list = nullptr;  ///< one of the source's recipe; never null once read
    config::Credential key;           ///< the provider's API key; read again from its file with each request
    std::string key_name;             ///< "file /run/secrets/…": sources with one name share a budget
    std::optional<Milliseconds>
        since;                      ///< a first walk begins so long ago; nullopt: with what comes from now on
    Milliseconds interval{60'000};  ///< rest between two rounds
    std::chrono::seconds overlap{300};  ///< an event is listed this long after its creation at the latest
    Wanted wanted;                      ///< types
    double budget = 10;                 ///< requests per second
    std::optional<ReconcileSettings> reconcile;  ///< nullopt: it is not
    Api api;                                     ///< where the list is
};

/// Of a walk through its list.
[[nodiscard]] inline WalkRules walk_rules(const PollSettings& poll) {
    const EventList::Facts facts = poll.list->facts();
    return {.overlap = poll.overlap,
            .retention = facts.retention,
            .limit = facts.most,
            .by_time = facts.by_time,
            .by_token = facts.by_token};
}

/// Reads `poll` of the sources that have one, in the file's order. `sources`: as the file has them, read
/// without a problem. `inbox_keep`: events that are older than it are refused by consumers. Problems go to
/// `problems`.
[[nodiscard]] std::vector<PollSettings> read_polls(const config::Document& document,
                                                   const webhook::SourceSet& sources,
                                                   std::chrono::days inbox_keep, config::Problems& problems);

}  // namespace sluice::poller
