#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/poller/walk/history.hpp"
#include "tests/unit/poller/walk/stepper.hpp"
#include "tests/unit/poller/walk/world.hpp"

// Two pollers walk a list through everything that may happen to them. SLUICE_SEED=S begins with that history,
// SLUICE_HISTORIES=N tries so many.
namespace sluice::poller {
namespace {

constexpr int most_steps = 100'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* said = std::getenv(name);
    return said == nullptr ? otherwise : std::stoull(said);
}

struct Totals {
    std::uint64_t events = 0;
    std::uint64_t requests = 0;
    std::uint64_t records = 0;
    std::array<int, 3> broken{};  // of lists that cannot be asked by time, that can, and by tokens
};

/// What was broken; nullopt: nothing.
std::optional<std::string> run(std::uint64_t seed, std::optional<Rule> without, Totals& totals) {
    const History history = make_history(seed);
    World world{history, without};
    std::array<Stepper, 2> pollers{Stepper{world, 0}, Stepper{world, 1}};
    for (int steps = 0; !world.is_over() && !world.broken; ++steps) {
        Stepper& next = pollers[0].due() <= pollers[1].due() ? pollers[0] : pollers[1];
        world.now = next.due();
        next.step();
        world.check(steps < most_steps, "the history does not end");
    }
    if (!world.broken) world.check_all();
    totals.events += history.events.size();
    totals.requests += world.requests;
    totals.records += world.records;
    totals.broken.at(history.rules.by_token ? 2 : std::size_t{history.rules.by_time}) += world.broken ? 1 : 0;
    return world.broken;
}

TEST(Histories, ApplyEveryVisibleEventAndCoverNoOther) {
    const std::uint64_t first = from_environment("SLUICE_SEED", 1);
    const std::uint64_t count = from_environment("SLUICE_HISTORIES", 10'000);
    Totals totals;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        if (const auto broken = run(seed, std::nullopt, totals))
            FAIL() << "SLUICE_SEED=" << seed << ": " << *broken;
    }
    std::cout << count << " histories: " << totals.events << " events, " << totals.requests << " requests, "
              << totals.records << " records\n";
}

/// Windows know no order and no place.
bool is_of_places(Rule rule) {
    return rule == Rule::oldest_first || rule == Rule::start_by_time;
}

class EachRule : public testing::TestWithParam<Rule> {};

TEST_P(EachRule, IsMissedWhereItIsLeftOut) {
    constexpr std::uint64_t enough = 300;
    Totals totals;
    std::optional<std::string> first;
    for (std::uint64_t seed = 1; seed <= enough; ++seed) {
        const auto broken = run(seed, GetParam(), totals);
        if (!broken) continue;
        if (!first) first = *broken;
    }
    const auto [by_id, by_time, by_token] = totals.broken;
    ASSERT_TRUE(by_id > 0 && by_time > 0 && (by_token > 0 || is_of_places(GetParam())))
        << "nothing breaks without " << name_of(GetParam());
    std::cout << "without " << name_of(GetParam()) << ": " << by_time << " + " << by_id << " + " << by_token
              << " of " << enough << " histories, first " << *first << '\n';
}

std::vector<Rule> every_rule() {
    std::vector<Rule> rules;
    for (int rule = 0; rule < static_cast<int>(Rule::count); ++rule) rules.push_back(static_cast<Rule>(rule));
    return rules;
}

std::string name_of_rule(const testing::TestParamInfo<Rule>& info) {
    return std::string{name_of(info.param)};
}

INSTANTIATE_TEST_SUITE_P(Histories, EachRule, testing::ValuesIn(every_rule()), name_of_rule);

}  // namespace
}  // namespace sluice::poller
