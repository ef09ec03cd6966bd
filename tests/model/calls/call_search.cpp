#include <set>

#include "tests/model/calls/call_world.hpp"

namespace sluice::command::model {
namespace {

/// A service that heeds fences executes once; one that does not, once more for each "absent".
std::int8_t most_executions(const World& world, const Setting& setting) {
    return setting.heeds_fences ? 1 : static_cast<std::int8_t>(1 + world.absents);
}

std::optional<std::string> wrong_between(const Actor& one, const Actor& other) {
    const bool are_two_requests = one.print != 0 && other.print != 0 && one.print != other.print;
    if (are_two_requests && one.was_sent && other.was_sent) return "two requests were sent under the key";
    if (one.heard != Heard::response) return std::nullopt;
    if (are_two_requests && other.heard == Heard::response) return "a request got another one's response";
    if (other.heard == Heard::response && one.response != other.response)
        return "two callers got different responses";
    if (other.heard == Heard::not_known) return "one caller got the response, one that nobody knows it";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> wrong_in(const World& world, const Setting& setting) {
    if (world.executions > most_executions(world, setting)) return "it was executed more often than it may";
    if (setting.heeds_fences && world.was_lied_to) return "a caller heard that nothing was executed";
    for (const Actor& one : world.actors)
        for (const Actor& other : world.actors)
            if (auto wrong = wrong_between(one, other)) return wrong;
    return std::nullopt;
}

Searched search(const Setting& setting) {
    std::set<World> known{begin_of(setting)};
    std::vector<World> open{begin_of(setting)};
    while (!open.empty()) {
        const World world = open.back();
        open.pop_back();
        for (World& next : next_of(world, setting)) {
            if (!known.insert(next).second) continue;
            if (auto wrong = wrong_in(next, setting)) return {known.size(), std::move(wrong)};
            open.push_back(next);
        }
    }
    return {known.size(), std::nullopt};
}

}  // namespace sluice::command::model
