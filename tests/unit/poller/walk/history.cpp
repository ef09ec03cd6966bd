#include "tests/unit/poller/walk/history.hpp"

#include <algorithm>
#include <format>

namespace sluice::poller {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t most_events = 400;
constexpr WallTime first_day = std::chrono::sys_days{std::chrono::year{2026} / 11 / 2};

/// Most are listed at once; of a history with late ones every second as late as the overlap allows.
WallTime visible_at(const Event& event, seconds overlap, bool some_are_late, Dice& dice) {
    if (!some_are_late || dice.one_in(2)) return event.created + Milliseconds{dice.up_to(1500)};
    return event.created + seconds{dice.one_in(4) ? overlap.count() : dice.up_to(overlap.count())};
}

/// Between `from` and `until`, alone or many in one second.
void add_events(History& history, WallTime from, WallTime until, Dice& dice) {
    const auto count =
        static_cast<std::size_t>(dice.one_in(12) ? 0 : dice.up_to(static_cast<std::int64_t>(most_events)));
    // What a search reads backwards within a second is lost with the process: it has to end between two
    // crashes.
    const auto most_at_once = std::min<std::int64_t>(300, 10 * history.rules.limit);
    const bool some_are_late = !dice.one_in(4);
    const bool bursts = dice.one_in(2);
    const bool some_by_webhook = dice.one_in(2);
    const bool some_unwanted = dice.one_in(4);
    const auto length = std::chrono::duration_cast<seconds>(until - from).count();
    while (history.events.size() < count) {
        const WallTime second = from + seconds{dice.up_to(length)};
        for (auto left = bursts ? dice.between(1, dice.one_in(4) ? most_at_once : 5) : 1;
             left > 0 && history.events.size() < count; --left) {
            Event event{.id = std::format("evt_{:010x}", dice.any() >> 24U), .created = second};
            event.visible_at = visible_at(event, history.rules.overlap, some_are_late, dice);
            event.webhook_at =
                some_by_webhook && dice.one_in(2) ? second + seconds{dice.up_to(600)} : WallTime::max();
            event.wanted = !some_unwanted || !dice.one_in(3);
            history.events.push_back(std::move(event));
        }
    }
    // Of one second in no order.
    std::ranges::sort(history.events, {},
                      [](const Event& event) { return std::pair{event.created, event.id}; });
}

void add_troubles(History& history, Dice& dice) {
    const auto length = std::chrono::duration_cast<seconds>(history.calm - history.begin).count();
    if (dice.one_in(3)) history.crashes = static_cast<int>(dice.between(15, 100));
    if (dice.one_in(3)) history.pauses = static_cast<int>(dice.between(10, 60));
    if (dice.one_in(2)) history.bad_acks = static_cast<int>(dice.between(2, 200));
    if (dice.one_in(3)) history.failures = static_cast<int>(dice.between(3, 20));
    if (dice.one_in(4)) history.gone_ids = static_cast<int>(dice.between(30, 300));
    if (dice.one_in(3)) history.bad_writes = static_cast<int>(dice.between(3, 20));
    for (auto left = dice.up_to(3); left > 0; --left) {
        const WallTime from = history.begin + seconds{dice.up_to(length)};
        history.storms.push_back({from, std::min(from + seconds{dice.between(1, length / 6)}, history.calm)});
    }
}

/// Days instead of minutes: what was read long ago is forgotten by the provider, or was not read in time.
void make_long(History& history, Dice& dice) {
    history.rules.retention = days{2};
    history.interval = minutes{dice.between(20, 60)};
    history.since = dice.one_in(2) ? seconds{0} : seconds{hours{dice.between(1, 46)}};
    history.calm = history.begin + days{dice.between(2, 5)};
    if (!dice.one_in(2)) return;
    const WallTime from = history.begin + hours{dice.between(1, 40)};
    history.outages.push_back({from, std::min(from + hours{dice.between(1, 70)}, history.calm)});
}

/// A list that cannot be asked by time. It is searched backwards, which has to end between two crashes as
/// well.
void make_untimed(History& history) {
    constexpr std::size_t most_pages = 20;
    history.rules.by_time = false;
    history.rules.limit = std::max(history.rules.limit, static_cast<int>(history.events.size() / most_pages));
}

/// A list without places, whose pages are known by tokens.
void make_tokens(History& history, Dice& dice) {
    history.rules.by_token = true;
    history.pages_go_up = dice.one_in(2);
    if (dice.one_in(2)) history.gone_ids = static_cast<int>(dice.between(4, 40));
}

}  // namespace

std::uint64_t Dice::any() {
    std::uint64_t mixed = (state_ += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

History make_history(std::uint64_t seed) {
    Dice dice{seed};
    History history{.seed = seed};
    history.rules.limit = static_cast<int>(dice.one_in(3) ? dice.between(1, 4) : dice.between(5, 100));
    history.begin = first_day + Milliseconds{dice.up_to(86'400'000)};
    history.interval = seconds{dice.between(30, 120)};
    history.since = dice.one_in(2) ? seconds{0} : seconds{dice.between(60, 7200)};
    history.calm = history.begin + minutes{dice.between(10, 40)};
    const bool is_long = dice.one_in(10);
    if (is_long) make_long(history, dice);
    history.says_date = !dice.one_in(8);
    history.says_retry_after = dice.one_in(2);
    if (history.says_date && dice.one_in(3)) history.skew = dice.one_in(2) ? minutes{10} : minutes{-10};
    add_events(history, history.begin - (is_long ? hours{50} : hours{1}), history.calm, dice);
    if (!dice.one_in(6)) add_troubles(history, dice);
    const auto kind = dice.up_to(3);
    if (kind == 0) make_untimed(history);
    if (kind == 1) make_tokens(history, dice);
    for (const Event& event : history.events) history.calm = std::max(history.calm, event.visible_at);
    return history;
}

}  // namespace sluice::poller
