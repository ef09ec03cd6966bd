#include "tests/unit/poller/walk/stepper.hpp"

#include <algorithm>
#include <utility>

namespace sluice::poller {
namespace {

using std::chrono::floor;
using std::chrono::seconds;

constexpr seconds standby_asks{20};
constexpr std::size_t most_searches = 60;
constexpr std::size_t requests_for_a_page = 20;  // of windows that grow and are halved

}  // namespace

Stepper::Stepper(World& world, int number)
    : world_{world},
      number_{number},
      due_{world.now + Milliseconds{number * 700}},
      tries_{world.history().rules.limit},
      random_{static_cast<std::uint32_t>(world.history().seed % 1000 + 1)} {}

SteadyTime Stepper::steady() const {
    return SteadyTime{} + std::chrono::hours{1} + (world_.now - world_.history().begin);
}

void Stepper::go(At at, Milliseconds in) {
    at_ = at;
    due_ = world_.now + in;
}

void Stepper::die(Milliseconds restart) {
    walker_.reset();
    budget_ = Budget{10, 10};
    tries_ = Tries{world_.history().rules.limit};
    ahead_ = {};
    limited_until_ = {};
    round_began_.reset();
    was_gone_ = false;
    ++life_;
    go(At::taking_lease, restart);
}

void Stepper::step() {
    const History& history = world_.history();
    for (const Span& outage : history.outages) {
        if (outage.from <= world_.now && world_.now < outage.until)
            return die(std::chrono::ceil<Milliseconds>(outage.until - world_.now));
    }
    switch (at_) {
        case At::taking_lease:
            take_lease();
            break;
        case At::asking:
            ask();
            break;
        case At::answered:
            read_answer();
            break;
        case At::publishing:
            publish();
            break;
        case At::writing:
            write();
            break;
        case At::resting:
            rest();
            break;
    }
    if (world_.happens(history.crashes)) return die(seconds{world_.dice().up_to(90)});
    if (world_.happens(history.pauses)) due_ += seconds{world_.dice().up_to(200)};
}

void Stepper::take_lease() {
    const History& history = world_.history();
    const Checkpoint first{.complete_until = floor<seconds>(own_time() - history.since)};
    const auto row = world_.take_lease(2 * life_ + number_, first);
    if (!row) return go(At::taking_lease, standby_asks);
    lease_ = row->lease;
    WalkRules rules = history.rules;
    if (!world_.has(Rule::overlap)) rules.overlap = seconds{0};
    walker_ = make_walk(row->checkpoint, rules);
    go(At::asking);
}

void Stepper::ask() {
    if (const Milliseconds wait = budget_.wait(steady()); wait > wait.zero()) return ask_in(wait);
    if (!world_.renew(lease_, Milliseconds{0})) return die(standby_asks);
    world_.check(world_.now >= limited_until_, "a request within the wait of a 429");
    budget_.spent(steady());
    ask_ = walker_->next(provider_time());
    world_.check(world_.takes(ask_), "a question that the list cannot answer");
    takes_newest_ = ask_.what != Ask::What::behind && anchors();
    if (takes_newest_) ask_ = {.what = Ask::What::before, .limit = 1};
    ask_ = tries_.in_limit(std::move(ask_));
    own_sent_ = own_time();
    if (!round_began_) {
        round_began_ = world_.now;
        searched_ = read_ = most_read_ = again_ = 0;
    }
    answer_ = world_.answer(ask_);
    go(At::answered, Milliseconds{world_.dice().up_to(world_.happens(50) ? 30'000 : 300)});
}

/// The provider's time when the request left, or earlier.
WallTime Stepper::asked_at() const {
    if (!answer_.date || !world_.has(Rule::provider_clock)) return own_sent_;
    return *answer_.date - (own_time() - own_sent_);
}

void Stepper::read_answer() {
    if (answer_.date && world_.has(Rule::provider_clock)) ahead_ = *answer_.date - own_time();
    if (answer_.fault) return meet_fault(*answer_.fault);
    tries_.worked();
    count_request();
    if (takes_newest_) return take_the_newest();
    to_publish_ = walker_->took(answer_.page, asked_at());
    if (!world_.has(Rule::ack_first)) {
        walker_->delivered(std::vector<bool>(to_publish_.size(), true));
        if (const auto to = walker_->to_write()) static_cast<void>(world_.move(lease_, *to, walker_->gap()));
    }
    go(At::publishing);
}

/// Without the start by time: the newest event that is seen is the place.
bool Stepper::anchors() const {
    if (world_.history().rules.by_token) return false;
    if (was_gone_) return !world_.has(Rule::gone_by_time);
    return !world_.has(Rule::start_by_time) && world_.history().since == seconds{0};
}

void Stepper::take_the_newest() {
    if (answer_.page.events.empty()) return go(At::resting);
    const Place place = answer_.page.events.back().place;
    walker_ = make_walk({.at = place, .complete_until = floor<seconds>(asked_at())}, world_.history().rules);
    go(At::asking);
}

void Stepper::meet_fault(Fault fault) {
    if (fault == Fault::limited) {
        budget_.limited(steady(), answer_.retry_after);
        limited_until_ = world_.now + answer_.retry_after.value_or(seconds{2});
    }
    if (fault == Fault::gone && !ask_.page.empty() && !world_.has(Rule::gone_by_time)) {
        // As if the rest of its window had been read.
        answer_.page = {};
        to_publish_ = walker_->took({}, asked_at());
        return go(At::publishing);
    }
    if (fault == Fault::gone) {
        walker_->place_is_gone();
        was_gone_ = true;
        round_began_.reset();
    }
    ask_in(tries_.failed(fault, steady(), world_.history().interval, random_).wait);
}

/// A page behind a place is a page of progress: so many lie behind the round's first place, one for what came
/// meanwhile, one to see the end.
void Stepper::count_request() {
    const auto limit = static_cast<std::size_t>(ask_.limit);
    if (ask_.what == Ask::What::one) return;
    if (ask_.what == Ask::What::all_in) {
        const std::size_t pages = world_.history().events.size() / limit + 1;
        return world_.check(++searched_ <= most_searches + again_ + requests_for_a_page * pages,
                            "windows that do not end");
    }
    if (ask_.what != Ask::What::behind || ask_.id.empty()) {
        const std::size_t most = most_searches + again_ + world_.history().events.size() / limit;
        return world_.check(++searched_ <= most, "a search by time that does not end");
    }
    if (most_read_ == 0) most_read_ = world_.events_behind(ask_.id) / limit + 2;
    world_.check(++read_ <= most_read_ + again_, "more requests than pages");
}

void Stepper::publish() {
    std::vector<bool> kept;
    for (const std::size_t event : to_publish_) {
        if (world_.happens(8 * world_.history().crashes)) return die(seconds{world_.dice().up_to(90)});
        kept.push_back(world_.publish(answer_.page.events[event].place.id));
    }
    // It is asked for again.
    if (std::ranges::contains(kept, false)) ++again_;
    if (world_.has(Rule::ack_first)) walker_->delivered(kept);
    go(At::writing, Milliseconds{world_.dice().up_to(50)});
}

void Stepper::write() {
    if (const auto to = walker_->to_write()) {
        const bool is_bad = world_.happens(world_.history().bad_writes);
        // Neither an answer nor, perhaps, a row: the row is read again.
        if (is_bad && world_.dice().one_in(2)) return die(seconds{1});
        if (!world_.move(lease_, *to, walker_->gap())) return die(standby_asks);
        if (is_bad) return die(seconds{1});
        walker_->written();
    }
    go(walker_->is_caught_up() ? At::resting : At::asking);
}

void Stepper::rest() {
    if (walker_->is_caught_up()) world_.round_is_over(*round_began_);
    round_began_.reset();
    ask_in(world_.history().interval);
}

/// The lease is kept meanwhile.
void Stepper::ask_in(Milliseconds wait) {
    if (!world_.renew(lease_, wait)) return die(standby_asks);
    go(At::asking, wait);
}

}  // namespace sluice::poller
