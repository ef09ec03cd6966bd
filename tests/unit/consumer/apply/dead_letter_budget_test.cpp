#include "consumer/apply/dead_letter_budget.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/apply/fake_process.hpp"

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;
using Gate = DeadLetterBudget::Gate;
using Told = std::vector<std::string>;

class DeadLetterBudgetTest : public testing::Test {
protected:
    void fails(int times = 1) {
        for (int i = 0; i < times; ++i) budget_.failed("amount is negative");
    }
    [[nodiscard]] bool may_die(std::string_view effect) {
        return budget_.may_dead_letter(effect, "amount is negative");
    }
    void applied() { budget_.succeeded(credit_); }
    void opens() {
        fails(3);
        ASSERT_EQ(budget_.gate(), Gate::nothing);
    }
    [[nodiscard]] bool is_told_ready() const { return process_.is_ready("effects"); }
    void expect_all_is_well() {
        EXPECT_EQ(budget_.gate(), Gate::everything);
        EXPECT_TRUE(is_told_ready());
        EXPECT_TRUE(budget_.is_calm());
    }

    FakeProcess process_;
    DeadLetterBudget budget_{{.events = 2, .refill = 5min, .pause_after = 3},
                             process_.clock,
                             process_.log(),
                             process_.metrics,
                             process_.readiness};
    const effects::EffectSet set_ = effects_named({"credit"});
    const std::vector<const effects::Effect*> credit_{set_.find("credit")};
};

TEST_F(DeadLetterBudgetTest, TheGateShutsWhenNothingSucceeds) {
    expect_all_is_well();
    fails(2);
    EXPECT_EQ(budget_.gate(), Gate::everything);
    EXPECT_TRUE(is_told_ready());
    fails();
    EXPECT_EQ(budget_.gate(), Gate::nothing);
    EXPECT_FALSE(is_told_ready());
    EXPECT_TRUE(process_.readiness.report().contains("amount is negative"));
    EXPECT_TRUE(process_.exposes("sluice_consumer_breaker 2"));
}

TEST_F(DeadLetterBudgetTest, HalfOpenTheGateLetsOneThroughToSee) {
    opens();
    process_.clock.advance(1s);
    EXPECT_EQ(budget_.gate(), Gate::one);
    EXPECT_TRUE(process_.exposes("sluice_consumer_breaker 1"));
    EXPECT_EQ(budget_.gate(), Gate::nothing) << "no second one";
    EXPECT_FALSE(is_told_ready());
    fails();
    process_.clock.advance(1s);
    EXPECT_EQ(budget_.gate(), Gate::nothing) << "the next wait is longer";
    process_.clock.advance(1s);
    EXPECT_EQ(budget_.gate(), Gate::one);
    applied();
    expect_all_is_well();
    EXPECT_TRUE(process_.exposes("sluice_consumer_breaker 0"));
}

TEST_F(DeadLetterBudgetTest, AfterOneThatToldNothingComesAnother) {
    opens();
    process_.clock.advance(1s);
    ASSERT_EQ(budget_.gate(), Gate::one);
    budget_.told_nothing();
    EXPECT_EQ(budget_.gate(), Gate::one);
    EXPECT_FALSE(is_told_ready());
}

TEST_F(DeadLetterBudgetTest, AnEventThatNoEffectWantedIsNoSuccess) {
    opens();
    process_.clock.advance(1s);
    budget_.succeeded({});
    EXPECT_EQ(budget_.gate(), Gate::one);
    EXPECT_FALSE(budget_.is_calm());
}

TEST_F(DeadLetterBudgetTest, ALogLineTellsEachStateOfTheBreaker) {
    opens();
    process_.clock.advance(1s);
    EXPECT_EQ(budget_.gate(), Gate::one);
    applied();
    EXPECT_EQ(process_.logged("breaker", "state"), (Told{"open", "half open", "closed"}));
}

TEST_F(DeadLetterBudgetTest, EventsMayDieUntilTheirEffectsBudgetIsUsedUp) {
    EXPECT_TRUE(may_die("credit"));
    EXPECT_TRUE(is_told_ready());
    EXPECT_TRUE(process_.exposes("sluice_consumer_dlq_budget{effect=\"credit\"} 1"));
    EXPECT_TRUE(may_die("credit"));
    EXPECT_FALSE(may_die("credit"));
    EXPECT_FALSE(may_die("credit"));
    EXPECT_FALSE(is_told_ready());
    EXPECT_TRUE(process_.readiness.report().contains("credit"));
    EXPECT_EQ(budget_.gate(), Gate::everything) << "events of other effects go on";
    EXPECT_TRUE(may_die("mail")) << "each effect has its own";
    EXPECT_FALSE(process_.readiness.report().contains("mail"));
    EXPECT_EQ(process_.logged("dead_letter_budget_used_up", "effect"), Told{"credit"});
}

TEST_F(DeadLetterBudgetTest, ReadinessTellsTheLastErrorOfEachEffectThatIsOutOfIt) {
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(budget_.may_dead_letter("mail", "no such list"));
        EXPECT_TRUE(budget_.may_dead_letter("credit", "amount is negative"));
    }
    const std::string names = "the next events of these effects wait: ";
    EXPECT_TRUE(process_.readiness.report().contains(
        names + "credit, mail; last error: amount is negative; no such list"))
        << process_.readiness.report();
    applied();
    EXPECT_TRUE(process_.readiness.report().contains(names + "mail; last error: no such list"));
}

TEST_F(DeadLetterBudgetTest, NothingDiesWhileNothingSucceeds) {
    opens();
    EXPECT_FALSE(may_die("credit"));
    EXPECT_FALSE(may_die("mail"));
}

TEST_F(DeadLetterBudgetTest, EachSuccessBringsOneBackAndTheLastOneIsCalm) {
    EXPECT_TRUE(may_die("credit") && may_die("credit"));
    EXPECT_FALSE(is_told_ready());
    applied();
    EXPECT_TRUE(is_told_ready());
    EXPECT_FALSE(budget_.is_calm()) << "the budget is not whole";
    applied();
    expect_all_is_well();
    EXPECT_TRUE(process_.exposes("sluice_consumer_dlq_budget{effect=\"credit\"} 2"));
    EXPECT_TRUE(may_die("credit"));
}

}  // namespace
}  // namespace sluice::consumer
