#include "tests/model/calls/call_world.hpp"

#include <algorithm>

#include "command/record/rules.hpp"

namespace sluice::command::model {
namespace {

crypto::Digest print_of(std::int8_t print) {
    crypto::Digest digest{};
    digest[0] = static_cast<std::uint8_t>(print);
    return digest;
}

/// As the product's rules see it. A fingerprint that is forgotten is everybody's.
std::optional<KnownCall> known_of(const Saved& saved, std::int8_t reader) {
    if (!saved.is_there) return std::nullopt;
    KnownCall known{.fingerprint = print_of(saved.print == 0 ? reader : saved.print), .is_due = false};
    if (saved.end == End::none)
        known.is_due = saved.is_due;
    else
        known.end = CallEnd{.state = static_cast<CallEnd::State>(static_cast<int>(saved.end) - 1)};
    return known;
}

Heard heard_of(const Answer& answer) {
    using enum Answer::Kind;
    if (answer.kind == executed || answer.kind == replayed) return Heard::response;
    if (answer.kind == not_executed) return Heard::not_executed;
    if (answer.kind == not_known) return Heard::not_known;
    return answer.kind == mismatch ? Heard::mismatch : Heard::in_progress;
}

/// Steps of one actor, each a world of its own.
class Steps {
public:
    Steps(const World& world, const Setting& setting, std::size_t number, std::vector<World>& next)
        : world_{world}, setting_{setting}, number_{number}, next_{next} {}

    void all() {
        const Actor& now = world_.actors[number_];
        if (now.was_sent && now.executed == 0 && !now.is_lost) service();
        if (now.at == At::over) return;
        if (world_.crashes < setting_.crashes) crash();
        switch (now.at) {
            case At::new_one:
                return look();
            case At::looked:
                return change();
            case At::begun:
                return send();
            case At::sent:
                return hear();
            case At::unknown:
                return advance();
            case At::asking:
                return ask();
            case At::ending:
                return finish();
            case At::overtaken:
                return tell_what_is_saved();
            case At::over:
                return;
        }
    }

private:
    struct Next {
        World world;
        Actor& actor;
        Next(const World& from, std::size_t number) : world{from}, actor{world.actors[number]} {}
    };
    template <class Change>
    void add(Change change) {
        Next next{world_, number_};
        change(next.world, next.actor);
        next_.push_back(next.world);
    }
    [[nodiscard]] bool is(Planted planted) const { return setting_.planted == planted; }
    [[nodiscard]] bool is_owner(const World& world, const Actor& actor) const {
        const Saved& saved = world.saved;
        if (!saved.is_there || saved.end != End::none) return false;
        return is(Planted::no_fence) || (saved.owner == own() && saved.fence == actor.fence);
    }
    [[nodiscard]] std::int8_t own() const { return static_cast<std::int8_t>(number_ + 1); }

    void crash() {
        add([](World& world, Actor& actor) {
            ++world.crashes;
            actor.at = At::over;
        });
    }

    // The call on its way: executed, refused, or lost.
    void service() {
        const bool is_late =
            setting_.heeds_fences && world_.actors[number_].sent_under < world_.highest_fence;
        if (!is_late)
            add([](World& world, Actor& actor) {
                actor.executed = ++world.executions;
                if (world.first == 0) world.first = actor.executed;
                world.highest_fence = std::max(world.highest_fence, actor.sent_under);
            });
        add([](World&, Actor& actor) { actor.is_lost = true; });
    }

    void look() {
        add([](World& world, Actor& actor) {
            actor.seen = world.saved;
            actor.at = At::looked;
        });
    }

    [[nodiscard]] Step step() const {
        const Actor& actor = world_.actors[number_];
        const Saved& seen = actor.seen;
        if (is(Planted::expiry_is_free) && seen.is_there && seen.end == End::none && seen.is_due)
            return Step::restart;
        if (actor.print != 0) return step_for(known_of(seen, actor.print), print_of(actor.print));
        const bool is_for_settler = seen.is_there && seen.end == End::none && seen.is_due;
        return is_for_settler ? Step::take_over : Step::tell;
    }

    void change() {
        const Step what = step();
        add([&](World& world, Actor& actor) {
            const Saved seen = actor.seen;
            actor.seen = {};
            if (what == Step::tell) return told(world, actor, seen);
            if (world.saved != seen) {
                actor.at = At::new_one;
                return;
            }
            actor.fence = static_cast<std::int8_t>(seen.fence + 1);
            const bool keeps_print = what == Step::take_over;
            const std::int8_t print = keeps_print ? world.saved.print : actor.print;
            world.saved = {.is_there = true, .owner = own(), .fence = actor.fence, .print = print};
            actor.at = what == Step::take_over ? At::asking : At::begun;
        });
        if (what != Step::tell && what != Step::take_over && is(Planted::sent_before_saved))
            add([](World&, Actor& actor) {
                actor.was_sent = true;
                actor.seen = {};
                actor.at = At::new_one;
            });
    }

    void told(World& world, Actor& actor, const Saved& saved) const {
        if (actor.print == 0) {
            actor = {.print = 0};  // the settler comes again
            return;
        }
        actor.at = At::over;
        const auto known = known_of(saved, actor.print);
        if (!known) return;
        actor.heard = heard_of(answer_from(*known, print_of(actor.print)));
        if (actor.heard == Heard::response) actor.response = saved.response;
        if (actor.heard == Heard::not_executed && world.first != 0) world.was_lied_to = true;
    }

    void send() {
        add([](World&, Actor& actor) {
            actor.was_sent = true;
            actor.sent_under = actor.fence;
            actor.at = At::sent;
        });
        // The service cannot be reached.
        add([](World&, Actor& actor) {
            actor.end = End::failed;
            actor.at = At::ending;
        });
    }

    void hear() {
        const Actor& now = world_.actors[number_];
        add([](World&, Actor& actor) { actor.at = At::unknown; });
        if (now.executed != 0) add([&](World&, Actor& actor) { ended(actor, End::done, actor.executed); });
        // It said that it did nothing, in time.
        if (now.is_lost) add([&](World&, Actor& actor) { ended(actor, End::failed, 0); });
    }

    void ended(Actor& actor, End end, std::int8_t response) const {
        actor.end = end;
        actor.response = response;
        actor.at = At::ending;
        if (is(Planted::told_before_saved) && end == End::done) actor.heard = Heard::response;
    }

    void advance() {
        if (!setting_.has_query) return add([&](World&, Actor& actor) { ended(actor, End::given_up, 0); });
        add([&](World& world, Actor& actor) {
            if (!is_owner(world, actor)) {
                actor.at = At::over;
                return;
            }
            world.saved.fence = ++actor.fence;
            world.saved.is_due = false;
            actor.at = At::asking;
        });
    }

    void ask() {
        if (!setting_.has_query) return add([&](World&, Actor& actor) { ended(actor, End::given_up, 0); });
        add([&](World& world, Actor& actor) {
            world.highest_fence = std::max(world.highest_fence, actor.fence);
            if (world.first != 0) return ended(actor, End::done, world.first);
            ++world.absents;
            ended(actor, End::failed, 0);
        });
        // It does not say; the settler comes again.
        add([](World&, Actor& actor) {
            if (actor.print == 0)
                actor = {.print = 0};
            else
                actor.at = At::over;
        });
    }

    void finish() {
        add([&](World& world, Actor& actor) {
            if (!is_owner(world, actor)) {
                if (is(Planted::anybody_deletes)) world.saved = {};
                actor.at = At::overtaken;
                return;
            }
            world.saved.end = actor.end;
            world.saved.response = actor.response;
            world.saved.is_due = false;
            if (is(Planted::print_forgotten)) world.saved.print = 0;
            told(world, actor, world.saved);
        });
    }

    void tell_what_is_saved() {
        add([&](World& world, Actor& actor) {
            if (actor.heard == Heard::nothing)
                told(world, actor, world.saved);
            else
                actor.at = At::over;
        });
    }

    const World& world_;
    const Setting& setting_;
    const std::size_t number_;
    std::vector<World>& next_;
};

}  // namespace

World begin_of(const Setting& setting) {
    World world;
    for (Actor& actor : world.actors) actor.at = At::over;
    for (int i = 0; i < setting.requests; ++i) world.actors[static_cast<std::size_t>(i)] = {.print = 1};
    world.actors[most_actors - 2] = {.print = 2};
    world.actors[most_actors - 1] = {.print = 0};
    return world;
}

std::vector<World> next_of(const World& world, const Setting& setting) {
    std::vector<World> next;
    for (std::size_t i = 0; i < most_actors; ++i) Steps{world, setting, i, next}.all();
    const bool may_end = world.saved.fence < setting.fences;
    if (world.saved.is_there && world.saved.end == End::none && !world.saved.is_due && may_end) {
        next.push_back(world);
        next.back().saved.is_due = true;
    }
    return next;
}

}  // namespace sluice::command::model
