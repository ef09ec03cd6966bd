#include "tests/unit/poller/walk/world.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <ranges>

namespace sluice::poller {
namespace {

using std::chrono::seconds;

constexpr seconds lease_time{60};
constexpr seconds longest_request{240};  // with a pause in it: so much earlier is what a poller takes for now

Listed listed(const Event& event) {
    return {.place = {.id = event.id, .created = event.created}, .wanted = event.wanted};
}

}  // namespace

std::string_view name_of(Rule rule) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Rule::count)> names{
        "NextPage", "OldestFirst", "AckFirst",   "Overlap",
        "Fence",    "StartByTime", "GoneByTime", "ProviderClock"};
    return names.at(static_cast<std::size_t>(rule));
}

World::World(const History& history, std::optional<Rule> without)
    : now{history.begin},
      history_{history},
      without_{without},
      dice_{history.seed + 1},
      published_(history.events.size()) {
    for (std::size_t index = 0; index < history.events.size(); ++index)
        by_id_.emplace(history.events[index].id, index);
}

void World::check(bool kept, std::string_view promise) {
    if (!kept && !broken) broken = std::format("at {}: {}", now - history_.begin, promise);
}

bool World::is_listed(const Event& event) const {
    return event.visible_at <= now && event.created >= now - history_.rules.retention;
}

Page World::behind(const Ask& ask) const {
    Page page;
    const std::size_t first = next_to(ask.id);
    for (std::size_t index = first; index < history_.events.size() && !page.has_more; ++index) {
        if (!is_listed(history_.events[index])) continue;
        page.has_more = page.events.size() == static_cast<std::size_t>(ask.limit);
        if (!page.has_more) page.events.push_back(listed(history_.events[index]));
    }
    if (has(Rule::next_page)) return page;
    Page far = newest({.from = WallTime::min(), .limit = ask.limit}, history_.events.size());
    std::erase_if(far.events, [&](const Listed& event) { return index_of(event.place.id) < first; });
    far.has_more = page.has_more;
    return far;
}

/// The newest before `end`, and not older than the ask's `from`.
Page World::newest(const Ask& ask, std::size_t end) const {
    Page page;
    for (std::size_t index = end; index > 0 && !page.has_more; --index) {
        const Event& event = history_.events[index - 1];
        if (event.created < ask.from) break;
        if (!is_listed(event)) continue;
        page.has_more = page.events.size() == static_cast<std::size_t>(ask.limit);
        if (!page.has_more) page.events.push_back(listed(event));
    }
    std::ranges::reverse(page.events);
    return page;
}

/// The token names the last event of the page before, in the direction of the pages.
Page World::page_of_window(const Ask& ask, std::size_t end) {
    Page page;
    const auto limit = static_cast<std::size_t>(ask.limit);
    const std::size_t last = ask.page.empty() ? std::string::npos : std::stoul(ask.page);
    std::vector<std::size_t> inside;
    for (std::size_t index = 0; index < end; ++index) {
        const bool is_next = ask.page.empty() || (history_.pages_go_up ? index > last : index < last);
        const Event& event = history_.events[index];
        if (is_next && event.created >= ask.from && is_listed(event)) inside.push_back(index);
    }
    if (!history_.pages_go_up) std::ranges::reverse(inside);
    page.has_more = inside.size() > limit;
    inside.resize(std::min(inside.size(), limit));
    if (page.has_more) page.next = std::to_string(inside.back());
    for (const std::size_t index : inside) page.events.push_back(listed(history_.events[index]));
    for (std::size_t left = page.events.size(); left > 1; --left)
        std::swap(page.events[left - 1],
                  page.events[static_cast<std::size_t>(dice_.up_to(static_cast<std::int64_t>(left - 1)))]);
    if (!has(Rule::next_page)) page.next.clear();
    return page;
}

bool World::takes(const Ask& ask) const {
    using enum Ask::What;
    if (history_.rules.by_token) return ask.what == all_in || ask.what == one;
    if (history_.rules.by_time) return ask.what != before && (ask.what != behind || !ask.id.empty());
    return ask.what == before || ask.what == behind;
}

Answer World::answer(const Ask& ask) {
    ++requests;
    searched_ |= ask.what == Ask::What::oldest_in || ask.what == Ask::What::before;
    Answer answer;
    if (history_.says_date) answer.date = std::chrono::floor<seconds>(now);
    if (std::ranges::any_of(history_.storms,
                            [&](const Span& storm) { return storm.from <= now && now < storm.until; })) {
        answer.fault = Fault::limited;
        if (history_.says_retry_after) answer.retry_after = seconds{dice_.up_to(20)};
        return answer;
    }
    if (happens(history_.failures)) {
        answer.fault = dice_.one_in(2) ? Fault::server : Fault::unreachable;
        return answer;
    }
    const bool is_one = ask.what == Ask::What::one;
    const bool is_gone = !ask.id.empty() && !is_listed(history_.events[index_of(ask.id)]);
    check(!is_one || !is_gone, "the checkpoint has an event that the list does not know");
    if (is_gone || (!is_one && (!ask.id.empty() || !ask.page.empty()) && happens(history_.gone_ids))) {
        answer.fault = Fault::gone;
        return answer;
    }
    const auto created_before = [&](WallTime time) {
        const auto found = std::ranges::lower_bound(history_.events, time, {}, &Event::created);
        return static_cast<std::size_t>(found - history_.events.begin());
    };
    const std::size_t end = ask.until == WallTime{} ? history_.events.size() : created_before(ask.until);
    switch (ask.what) {
        case Ask::What::behind:
            answer.page = behind(ask);
            break;
        case Ask::What::before:
        case Ask::What::oldest_in:
            answer.page = newest(ask, ask.id.empty() ? end : index_of(ask.id));
            break;
        case Ask::What::newest_before:
            answer.page = newest({.from = WallTime::min(), .limit = ask.limit}, end);
            break;
        case Ask::What::one:
            break;
        case Ask::What::all_in:
            answer.page = page_of_window(ask, end);
            break;
    }
    if (!has(Rule::oldest_first)) std::ranges::reverse(answer.page.events);
    return answer;
}

std::size_t World::events_behind(const std::string& id) const {
    return history_.events.size() - next_to(id);
}

bool World::is_applied(std::size_t index) const {
    return published_[index] > 0 || history_.events[index].webhook_at <= now;
}

bool World::publish(const std::string& id) {
    const std::size_t index = index_of(id);
    const Event& event = history_.events[index];
    check(event.wanted, "an event is published that was not wanted");
    // One that was listed late may stand behind the place that the walk begins at.
    check(event.created >= asked_from_ - history_.rules.overlap,
          "an event is published that is older than what was asked for");
    // The claim knows it.
    if (event.webhook_at <= now) return true;
    const bool is_bad = happens(history_.bad_acks);
    if (is_bad && dice_.one_in(2)) return false;
    ++records;
    ++published_[index];
    check(published_[index] == 1 || !history_.is_calm_throughout(),
          "an event is published twice, and nothing had failed");
    return !is_bad;
}

std::optional<Row> World::take_lease(int holder, const Checkpoint& first) {
    if (!row_) {
        row_ = Row{.checkpoint = first};
        started_from_ = first.complete_until;
        asked_from_ = std::min(first.complete_until,
                               WallTime{std::chrono::floor<seconds>(history_.begin) - history_.since}) -
                      longest_request;
    }
    if (row_->leased_until > now && row_->lease.holder != holder) return std::nullopt;
    row_->lease = {.holder = holder, .fence = row_->lease.fence + 1};
    row_->leased_until = now + lease_time;
    return row_;
}

bool World::holds(const Lease& lease) const {
    return !has(Rule::fence) || (row_->lease.holder == lease.holder && row_->lease.fence == lease.fence);
}

bool World::renew(const Lease& lease, Milliseconds wait) {
    if (!holds(lease)) return false;
    row_->leased_until = now + wait + lease_time;
    return true;
}

bool World::move(const Lease& lease, const Checkpoint& to, const std::optional<Gap>& gap) {
    if (!holds(lease)) return false;
    check_not_back(to);
    row_->checkpoint = to;
    row_->leased_until = now + lease_time;
    if (gap) row_->gaps.push_back(*gap);
    check_covered();
    return true;
}

/// But for the start of a walk, which was chosen by the pollers' clock and may lie in the provider's future.
void World::check_not_back(const Checkpoint& to) {
    const Checkpoint& from = row_->checkpoint;
    const bool is_start = !from.at && from.complete_until <= started_from_;
    check(to.complete_until >= from.complete_until || is_start, "the row's time goes back");
    if (from.at && to.at) check(!is_back(from, *to.at), "the row's place goes back");
}

/// A walk that goes by time where it had a place reads that second again from its start. Where it cannot ask
/// so, it begins behind the newest event that was there before the row's time.
bool World::is_back(const Checkpoint& from, const Place& to) const {
    if (index_of(to.id) >= index_of(from.at->id)) return false;
    if (!searched_) return true;
    if (history_.rules.by_time) return to.created < from.at->created;
    return std::ranges::any_of(history_.events | std::views::drop(next_to(to.id)), [&](const Event& event) {
        return event.created < from.complete_until && event.visible_at < now - longest_request &&
               is_listed(event);
    });
}

bool World::is_excused(const Event& event) const {
    return event.created < started_from_ ||
           std::ranges::any_of(
               row_->gaps,
               [&](const Gap& gap) { return gap.from <= event.created && event.created < gap.until; });
}

void World::check_applied(std::size_t index, std::string_view otherwise) {
    const Event& event = history_.events[index];
    if (event.wanted && !is_applied(index) && !is_excused(event))
        check(false, std::format("{} {}", event.id, otherwise));
}

void World::check_covered() {
    const Checkpoint& row = row_->checkpoint;
    const std::size_t behind_place = row.at ? index_of(row.at->id) + 1 : 0;
    for (std::size_t index = 0; index < history_.events.size(); ++index) {
        if (index >= behind_place && history_.events[index].created >= row.complete_until) break;
        check_applied(index, "is covered by the row, and Kafka does not have it");
    }
}

void World::round_is_over(WallTime began) {
    over_ = began >= history_.calm;
}

void World::check_all() {
    for (std::size_t index = 0; index < history_.events.size(); ++index)
        check_applied(index, "was visible and is not applied");
    for (const Gap& gap : row_->gaps)
        check(!history_.is_calm_throughout() && gap.until < now, "a gap, and nothing had failed");
}

}  // namespace sluice::poller
