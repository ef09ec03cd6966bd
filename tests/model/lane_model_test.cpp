#include <iostream>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/model/search.hpp"

// The protocol of lanes, searched through state by state. The rules that decide
// are those of the product; see stepper.hpp.
namespace sluice::model {

// For GoogleTest, which finds it by name.
void PrintTo(const World& world, std::ostream* out) {
    *out << world.name;
}

void PrintTo(Rule rule, std::ostream* out) {
    *out << name_of(rule);
}

namespace {

/// So many events of one object, each delivered once.
World events(std::size_t count, std::string name, Budget budget) {
    World world;
    world.name = std::move(name);
    world.budget = budget;
    for (std::uint8_t event = 0; event < count; ++event) {
        world.records.push_back(event);
        world.objects.push_back(0);
    }
    return world;
}

World with(World world, bool World::* what) {
    world.*what = true;
    return world;
}

World delivered_twice(World world) {
    world.records.push_back(0);
    return world;
}

World of_two_objects(World world) {
    for (std::size_t event = 0; event < world.objects.size(); ++event) world.objects[event] = event % 2 != 0;
    return world;
}

std::string name_of_world(const testing::TestParamInfo<World>& info) {
    return info.param.name;
}

class AllRules : public testing::TestWithParam<World> {
protected:
    static void expect_to_hold(const World& world) {
        const Findings findings = search(world);
        std::cout << world.name << ": " << findings.states << " states\n";
        EXPECT_TRUE(findings.complete) << "the world is too large for its limit";
        if (findings.counterexample) ADD_FAILURE() << to_text(*findings.counterexample);
        EXPECT_GT(findings.states, 100U) << "a world in which nothing can happen proves nothing";
    }
};

class QuickWorlds : public AllRules {};
class DeepWorlds : public AllRules {};

TEST_P(QuickWorlds, KeepEveryPromise) {
    expect_to_hold(GetParam());
}

TEST_P(DeepWorlds, KeepEveryPromise) {
    expect_to_hold(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    LaneModel, QuickWorlds,
    testing::Values(
        events(3, "Crash", {.failures = 2, .crashes = 1}),
        events(2, "MainZombie", {.failures = 2, .crashes = 1, .main_moves = 1}),
        events(2, "RetryZombie", {.failures = 2, .crashes = 1, .retry_moves = 1}),
        events(2, "BothZombies", {.failures = 1, .crashes = 1, .main_moves = 1, .retry_moves = 1}),
        events(2, "Operator", {.failures = 2, .commands = 1}),
        events(2, "OperatorAndRetryZombie", {.failures = 1, .crashes = 1, .retry_moves = 1, .commands = 1}),
        events(2, "OperatorAndCommandZombie",
               {.failures = 1, .crashes = 1, .command_moves = 1, .commands = 1}),
        events(2, "LostAnswers", {.failures = 2, .crashes = 1, .retry_moves = 1, .lost_answers = 1}),
        delivered_twice(events(2, "DeliveredTwice", {.failures = 2, .main_moves = 1})),
        of_two_objects(events(3, "TwoObjects", {.failures = 2, .crashes = 1})),
        with(events(3, "TwoDelays", {.failures = 2, .crashes = 1}), &World::two_delays),
        with(events(3, "Superseded", {.failures = 1, .crashes = 1, .commands = 1}), &World::supersede),
        with(events(3, "CasesPassed", {.failures = 2, .crashes = 1, .commands = 1}), &World::lets_pass),
        with(events(3, "LostWakeups", {.failures = 2, .crashes = 1, .lost_wakeups = 1}), &World::sweeper),
        events(2, "DoubledWakeups", {.failures = 2, .crashes = 1, .doubled_wakeups = 1}),
        events(2, "DeployUnderWay", {.failures = 2, .lacking = 1, .retry_moves = 1})),
    name_of_world);

INSTANTIATE_TEST_SUITE_P(
    LaneModel, DeepWorlds,
    testing::Values(
        events(3, "MainZombie", {.failures = 2, .crashes = 1, .main_moves = 1}),
        events(3, "RetryZombie", {.failures = 2, .crashes = 1, .retry_moves = 1}),
        events(2, "BothZombies", {.failures = 2, .main_moves = 1, .retry_moves = 1}),
        events(2, "BothZombiesAndOperator",
               {.failures = 1, .crashes = 1, .main_moves = 1, .retry_moves = 1, .commands = 1}),
        events(2, "BothZombiesAndCrash", {.failures = 2, .crashes = 1, .main_moves = 1, .retry_moves = 1}),
        events(3, "BothZombiesAndOperatorOfThree",
               {.failures = 1, .crashes = 1, .main_moves = 1, .retry_moves = 1, .commands = 1}),
        events(2, "RetryZombieAndOperator", {.failures = 2, .retry_moves = 1, .commands = 1}),
        events(3, "Operator", {.failures = 2, .crashes = 1, .commands = 1}),
        events(2, "LostAnswersAndOperator", {.failures = 2, .crashes = 1, .lost_answers = 1, .commands = 1}),
        delivered_twice(events(2, "DeliveredTwice", {.failures = 2, .crashes = 1, .commands = 1})),
        of_two_objects(events(3, "TwoObjects", {.failures = 2, .crashes = 1, .main_moves = 1})),
        with(events(3, "TwoDelays", {.failures = 3, .crashes = 1}), &World::two_delays),
        with(events(3, "Superseded", {.failures = 2, .crashes = 1, .commands = 1}), &World::supersede),
        with(events(2, "CasesPassedAndRetryZombie",
                    {.failures = 2, .crashes = 1, .retry_moves = 1, .commands = 1}),
             &World::lets_pass),
        with(events(2, "ImpatientOperator", {.failures = 2, .crashes = 1, .commands = 1}), &World::impatient),
        events(2, "DoubledWakeups", {.failures = 2, .crashes = 1, .doubled_wakeups = 1, .commands = 1}),
        events(2, "TwoCommands", {.failures = 2, .commands = 2})),
    name_of_world);

/// The smallest worlds, in which every rule that is left out shows.
std::vector<World> worlds_to_break() {
    return {events(2, "crash", {.failures = 1, .crashes = 1}),
            events(2, "main zombie", {.failures = 2, .main_moves = 1}),
            events(2, "retry zombie", {.failures = 2, .retry_moves = 1}),
            with(events(2, "superseded", {.failures = 1}), &World::supersede),
            with(events(2, "lost wakeup", {.failures = 1, .lost_wakeups = 1}), &World::sweeper),
            events(2, "operator", {.failures = 3, .commands = 1}),
            events(3, "operator and crash", {.failures = 2, .crashes = 1, .commands = 1})};
}

class EachRule : public testing::TestWithParam<Rule> {};

TEST_P(EachRule, IsMissedWhereItIsLeftOut) {
    for (const World& world : worlds_to_break()) {
        const Findings findings = search(world, without(GetParam()));
        if (!findings.counterexample) continue;
        std::cout << "without " << name_of(GetParam()) << " (" << world.name
                  << "): " << to_text(*findings.counterexample);
        RecordProperty("steps", static_cast<int>(findings.counterexample->steps.size()));
        return;
    }
    ADD_FAILURE() << "nothing breaks without " << name_of(GetParam());
}

std::vector<Rule> every_rule() {
    std::vector<Rule> rules;
    for (int rule = 0; rule < static_cast<int>(Rule::count); ++rule) rules.push_back(static_cast<Rule>(rule));
    return rules;
}

std::string name_of_rule(const testing::TestParamInfo<Rule>& info) {
    return std::string{name_of(info.param)};
}

INSTANTIATE_TEST_SUITE_P(LaneModel, EachRule, testing::ValuesIn(every_rule()), name_of_rule);

}  // namespace
}  // namespace sluice::model
