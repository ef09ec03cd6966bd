#include "consumer/process/effects_memory.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using Standing = store::EffectsStanding;

store::EffectsVersion effects(std::int64_t revision, std::string_view text) {
    return {revision, crypto::sha256(text)};
}

std::optional<store::EffectsInForce> record(std::int64_t revision, std::string_view text) {
    return store::EffectsInForce{effects(revision, text), WallTime{}};
}

std::int64_t would_record(const EffectsMemory& memory) {
    const auto version = memory.to_record();
    return version ? version->revision : -1;
}

/// A process with effects "ours" under revision 2 that has seen these records, one after the other.
EffectsMemory that_saw(std::initializer_list<std::optional<store::EffectsInForce>> records) {
    EffectsMemory memory{effects(2, "ours")};
    for (const auto& one : records) memory.saw(one);
    return memory;
}

TEST(EffectsMemory, WhoHasSeenNothingRecordsItsFilesNumber) {
    EXPECT_EQ(would_record(that_saw({})), 2);
    EXPECT_EQ(would_record(that_saw({std::nullopt})), 2);
    EXPECT_EQ(would_record(that_saw({record(1, "others")})), 2);
}

TEST(EffectsMemory, TheHighestNumberThatOursHaveHadIsRecordedAgain) {
    const auto memory = that_saw({record(5, "ours"), record(4, "others")});
    EXPECT_EQ(memory.standing(), Standing::in_force);
    EXPECT_TRUE(memory.is_lost());
    EXPECT_EQ(would_record(memory), 5) << "the number of a rollback";
    EXPECT_EQ(memory.to_record()->digest, crypto::sha256("ours"));
    EXPECT_EQ(would_record(that_saw({record(5, "ours"), std::nullopt})), 5);
    EXPECT_EQ(would_record(that_saw({record(5, "ours"), record(4, "ours"), record(6, "ours")})), 6);
}

TEST(EffectsMemory, AHigherRecordOvertakesWhateverOursHaveHad) {
    const auto memory = that_saw({record(5, "ours"), record(6, "others")});
    EXPECT_EQ(memory.standing(), Standing::outdated);
    EXPECT_EQ(would_record(memory), -1);
}

TEST(EffectsMemory, OthersUnderTheSameNumberHoldBackToo) {
    EXPECT_EQ(that_saw({record(2, "others")}).standing(), Standing::differ);
    EXPECT_EQ(would_record(that_saw({record(2, "others")})), -1);
    EXPECT_EQ(that_saw({record(5, "ours"), record(5, "others")}).standing(), Standing::outdated);
}

TEST(EffectsMemory, WhoWasOvertakenDoesNotComeBackByALoss) {
    for (const auto& left :
         {std::optional<store::EffectsInForce>{}, record(1, "others"), record(2, "ours")}) {
        const auto memory = that_saw({record(3, "others"), left});
        EXPECT_EQ(memory.standing(), Standing::outdated);
        EXPECT_EQ(would_record(memory), -1);
        EXPECT_TRUE(memory.is_lost());
    }
    EXPECT_EQ(that_saw({record(2, "others"), std::nullopt}).standing(), Standing::differ);
}

TEST(EffectsMemory, WhoWasOvertakenComesBackByAHigherRecordOfOurs) {
    const auto memory = that_saw({record(3, "others"), std::nullopt, record(4, "ours")});
    EXPECT_EQ(memory.standing(), Standing::in_force);
    EXPECT_EQ(would_record(memory), 4);
    EXPECT_FALSE(memory.is_lost());
}

}  // namespace
}  // namespace sluice::consumer
