#include <algorithm>
#include <random>

#include "tests/unit/consumer/store/server/effects_world.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"
#include "tests/unit/consumer/store/server/random_effects.hpp"

namespace sluice::effects {
namespace {

class BatchEffectsTest : public store::ServerTest {};

/// Whether a batch's word of the first failing event was true, by what became of the events one by one.
void expect_true(const Claim& claim, const std::vector<Outcome>& outcomes) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(claim.start);
    const auto last = first + static_cast<std::ptrdiff_t>(claim.size);
    const auto failing = std::find_if_not(first, last, is_good);
    if (claim.committed) {
        EXPECT_EQ(failing, last) << "a batch went through, and its event " << failing - outcomes.begin()
                                 << " fails alone";
    } else if (claim.culprit) {
        EXPECT_EQ(failing - first, static_cast<std::ptrdiff_t>(*claim.culprit))
            << "another event is blamed, in a batch from " << claim.start;
    } else if (!claim.collided) {
        EXPECT_NE(failing, last) << "a batch failed, and none of its events fails alone";
    }
}

TEST_F(BatchEffectsTest, GiveWhatTheirEventsGiveOneByOne) {
    const auto seed = number_from("SLUICE_TEST_SEED", std::random_device{}());
    const auto rounds = number_from("SLUICE_TEST_ROUNDS", 6);
    RecordProperty("seed", std::to_string(seed));
    const auto connection = open();
    for (unsigned round = 0; round < rounds; ++round) {
        Chance chance{seed + round};
        const auto effects = random_effects(chance);
        SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed + round) +
                     " SLUICE_TEST_ROUNDS=1\n" + effects.set_based + effects.tables.at(2));
        const auto name = std::to_string(round);
        World together{*connection, "b" + name + "_", effects, effects.set_based};
        World alone{*connection, "o" + name + "_", effects, effects.set_based};
        World by_hand{*connection, "s" + name + "_", effects, effects.by_sql};
        for (int batch = 0; batch < 4; ++batch) {
            const auto events = random_events(chance, effects, 1 + chance.below(40));
            std::vector<Outcome> wanted;
            std::vector<Outcome> one_by_one;
            for (const auto& event : events) wanted.push_back(by_hand.run_alone(event));
            for (const auto& event : events) one_by_one.push_back(alone.run_alone(event));
            together.claims.clear();
            EXPECT_EQ(together.run_batch(events), wanted);
            EXPECT_EQ(one_by_one, wanted);
            for (const auto& claim : together.claims) expect_true(claim, wanted);
            for (const auto& table : effects.names) {
                EXPECT_EQ(together.content(table), by_hand.content(table)) << table;
                EXPECT_EQ(alone.content(table), by_hand.content(table)) << table << ", one by one";
            }
            if (!HasFailure()) continue;
            for (std::size_t i = 0; i < events.size(); ++i) {
                ADD_FAILURE() << i << " " << events[i].id << " " << events[i].type << " " << events[i].body
                              << "\n  by hand " << by_hand.reasons[events[i].id] << "\n  alone "
                              << alone.reasons[events[i].id];
            }
            return;
        }
    }
}

TEST_F(BatchEffectsTest, GoOnWithoutWhatEndsOtherwise) {
    const auto seed = number_from("SLUICE_TEST_SEED", std::random_device{}());
    const auto rounds = number_from("SLUICE_TEST_ROUNDS", 6);
    RecordProperty("seed", std::to_string(seed));
    const auto connection = open();
    for (unsigned round = 0; round < rounds && !HasFailure(); ++round) {
        Chance chance{seed + round};
        const auto effects = random_effects(chance);
        SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed + round) +
                     " SLUICE_TEST_ROUNDS=1\n" + effects.set_based + effects.tables.at(2));
        const auto name = std::to_string(round);
        World each{*connection, "e" + name + "_", effects, effects.set_based};
        World alone{*connection, "a" + name + "_", effects, effects.set_based};
        for (int batch = 0; batch < 4 && !HasFailure(); ++batch) {
            const auto events = random_events(chance, effects, 1 + chance.below(40));
            std::vector<Outcome> wanted;
            for (const auto& event : events) wanted.push_back(alone.run_alone(event));
            EXPECT_EQ(each.run_each(events), wanted);
            EXPECT_EQ(each.exact, alone.exact);
            for (const auto& table : effects.names)
                EXPECT_EQ(each.content(table), alone.content(table)) << table;
        }
    }
}

}  // namespace
}  // namespace sluice::effects
