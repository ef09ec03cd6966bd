#include "ctl/send/traffic/plan.hpp"

#include <algorithm>
#include <cmath>

#include "ctl/send/traffic/dice.hpp"

namespace sluice::ctl {
namespace {

constexpr std::uint64_t place = 1024;  // room between two neighbours
constexpr std::uint64_t farthest_duplicate = 50;
constexpr std::uint64_t window = 20;

struct Placed {
    std::uint64_t key = 0;
    Delivery delivery;
};

std::size_t share(std::size_t events, double percent) noexcept {
    return static_cast<std::size_t>(std::llround(static_cast<double>(events) * percent / 100.0));
}

void name_first_ones_fresh(std::vector<Delivery>& plan, std::size_t events) {
    std::vector<bool> seen(events);
    for (auto& delivery : plan) {
        if (!is_genuine(delivery.kind)) continue;
        delivery.kind = seen[delivery.event] ? Kind::duplicate : Kind::fresh;
        seen[delivery.event] = true;
    }
}

}  // namespace

std::string_view name_of(Kind kind) noexcept {
    switch (kind) {
        case Kind::fresh:
            return "fresh";
        case Kind::duplicate:
            return "duplicate";
        case Kind::forged:
            return "forged";
        case Kind::stale:
            return "stale";
    }
    return "?";
}

bool is_genuine(Kind kind) noexcept {
    return kind == Kind::fresh || kind == Kind::duplicate;
}

std::size_t extra_events(const Mix& mix) noexcept {
    return share(mix.events, mix.forged) + share(mix.events, mix.stale);
}

std::vector<Delivery> plan_of(const Mix& mix) {
    Dice dice{mix.seed ^ 0x706C616EU};  // a sequence apart from the story's: more duplicates, same events
    std::vector<Placed> placed;
    const auto put = [&](std::uint64_t key, std::size_t event, Kind kind) {
        placed.push_back(
            {.key = key, .delivery = {.event = static_cast<std::uint32_t>(event), .kind = kind}});
    };
    for (std::size_t i = 0; i < mix.events; ++i) put(i * place, i, Kind::fresh);
    for (std::size_t i = 0; i < share(mix.events, mix.duplicates); ++i) {
        const std::uint64_t event = dice.below(mix.events);
        put((event + dice.below(farthest_duplicate)) * place + 1 + dice.below(place - 1), event,
            Kind::duplicate);
    }
    for (std::size_t i = 0; i < extra_events(mix); ++i) {
        const Kind kind = i < share(mix.events, mix.forged) ? Kind::forged : Kind::stale;
        put(dice.below(mix.events * place), mix.events + i, kind);
    }
    if (mix.disorder) {
        for (auto& one : placed) one.key += dice.below(window * place);
    }
    std::ranges::stable_sort(placed, {}, &Placed::key);
    std::vector<Delivery> plan;
    plan.reserve(placed.size());
    for (const auto& one : placed) plan.push_back(one.delivery);
    name_first_ones_fresh(plan, mix.events);
    return plan;
}

}  // namespace sluice::ctl
