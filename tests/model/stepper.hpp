#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consumer/lane/rules/lane.hpp"
#include "tests/model/rules.hpp"
#include "tests/model/world.hpp"

namespace sluice::model {

/// One thing that may happen next.
struct Step {
    State next;
    const char* what = "";
    int session = -1;   ///< who did it; -1: nobody of ours
    int subject = -1;   ///< an event
    bool heals = true;  ///< needs no further trouble, no operator and no zombie's help
};

/// "zombie of main: E2 parked"
[[nodiscard]] std::string text_of(const Step& step, const State& before);

/// What may happen next in a state. Every decision is the product's own (consumer/lane); what is done around
/// it stands here as the product does it: which transaction, what is produced, when it is acknowledged. A
/// rule that is left out is left out here.
class Stepper {
public:
    Stepper(const World& world, Without without) : world_{world}, without_{without} {}

    /// The steps out of `from`, in a fixed order; valid until the next call.
    [[nodiscard]] const std::vector<Step>& steps_of(const State& from);

private:
    // main_role.cpp
    void main_role(int who);
    void first_transaction(int who);
    void known_already(int who);
    void park(int who, const lane::Lane& lane);
    void attempt_fresh(int who);
    void second_transaction(int who);
    // retry_role.cpp
    void retry_role(int who);
    void take_wakeup(int who);
    void turn(int who);
    void attempt_again(int who, const lane::Row& row);
    void second_of_pass(int who);
    void command_role(int who);
    void carry_out(int who);
    // debts.cpp
    void debts(int who);
    void look(State& state, int who) const;
    void produce_wakeup(int who);
    void acknowledge(int who);
    // troubles.cpp
    void troubles();
    void sweep();
    void operators();

    struct Fate {
        Status status;
        std::uint8_t due;
    };
    [[nodiscard]] bool has(Rule rule) const { return !without_.test(static_cast<std::size_t>(rule)); }
    [[nodiscard]] bool may(std::uint8_t Budget::* part) const;
    [[nodiscard]] std::vector<Fate> fates() const;
    [[nodiscard]] const Session& session(int who) const;
    [[nodiscard]] const Session* one_who_inserts(std::uint8_t event, int besides) const;
    /// A copy of the present to be changed, until the next one is made.
    State& next(int who, const char* what, int subject = -1);
    State& trouble(int who, const char* what, std::uint8_t Budget::* part, int subject = -1);
    static Session& in(State& state, int who);
    /// The step made last was a COMMIT: its answer may be lost, and the session goes back to `at`.
    void or_answer_is_lost(int who, At at);
    void apply(State& state, std::uint8_t event) const;
    void check_written_in_order(State& state, std::uint8_t event) const;

    /// What a look without a lock says: an event of the object is unfinished, whether or not it holds others.
    [[nodiscard]] bool is_busy(const State& state, std::uint8_t object) const;
    [[nodiscard]] lane::Lane lane_of(const State& state, std::uint8_t object) const;
    static void write(State& state, std::uint8_t object, const lane::Wakeup& wakeup);
    static void write(State& state, std::uint8_t event, Fate fate);

    const World& world_;
    Without without_;
    const State* from_ = nullptr;
    std::vector<Step> steps_;
};

/// Times of the model: the present, and so many steps later.
inline constexpr WallTime present{};
[[nodiscard]] constexpr WallTime after(std::uint8_t steps) {
    return present + std::chrono::hours{steps};
}
[[nodiscard]] lane::Row row_of(const State& state, std::uint8_t event, bool may_be_superseded);

}  // namespace sluice::model
