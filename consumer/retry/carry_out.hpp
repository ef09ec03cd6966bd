#pragma once

#include <string_view>

#include "consumer/command/command.hpp"
#include "consumer/lane/command.hpp"
#include "consumer/lane_work/tools.hpp"
#include "consumer/retry/authenticity.hpp"
#include "consumer/store/dead_letter_read.hpp"
#include "consumer/store/lane.hpp"

namespace sluice::consumer {

/// Carries out what an operator asked for, in one transaction with its row in `operator_action`: a command
/// that arrives twice finds that row. It changes one event or one entry and owes a wake-up; effects are run
/// by the pass that follows, so that nothing runs out of its turn. One thread's.
class CarryOut {
public:
    CarryOut(const LaneTools& tools, const Authenticity& authenticity)
        : tools_{tools}, authenticity_{authenticity} {}

    struct Answer {
        enum class Kind { carried_out, refused, before };
        Kind kind = Kind::carried_out;
        std::string_view why{};  ///< of refused; closed set: finished parked not_authentic unverifiable
                                 ///< body_differs undecodable unreadable holds_a_lane
    };

    /// A command without a flaw. Outside of a transaction; a Failure is one of our own statements'.
    [[nodiscard]] Result<Answer> run(const command::Command& command, store::Connection& connection);

private:
    struct Target;

    [[nodiscard]] Result<Answer> in_lane(const command::Command& command,
                                         const std::optional<store::LanePlace>& place,
                                         store::Connection& connection);
    [[nodiscard]] Result<Answer> obey(Target& target);
    [[nodiscard]] static Result<std::optional<lane::Row>> find(const command::Command& command,
                                                               const store::LaneKey& lane,
                                                               std::optional<lane::Position> position,
                                                               store::Connection& connection);
    [[nodiscard]] Result<Answer> skip(Target& target, const lane::Reply& reply);
    [[nodiscard]] Result<Answer> run_again(Target& target, const lane::Reply& reply);
    [[nodiscard]] Result<std::string_view> objection_in_lane(const command::Command& command,
                                                             const std::optional<store::LanePlace>& place,
                                                             store::Connection& connection);
    [[nodiscard]] std::string_view objection(const command::Command& command, const Record& record) const;
    [[nodiscard]] Result<void> edit(Target& target, const Item& item, const lane::Row& row);

    // Entries that hold no lane (carry_out_entry.cpp).
    [[nodiscard]] Result<Answer> of_entry(const command::Command& command, const store::LetterRow& letter,
                                          store::Connection& connection);
    [[nodiscard]] Result<Answer> let_in(const command::Command& command, const store::LetterRow& letter,
                                        Item& item, store::Connection& connection);

    [[nodiscard]] Result<Answer> write_refusal(const command::Command& command, const Answer& answer,
                                               store::Connection& connection);

    [[nodiscard]] Result<bool> write_down(const command::Command& command, const Answer& answer,
                                          store::Connection& connection) const;

    LaneTools tools_;
    const Authenticity& authenticity_;
};

}  // namespace sluice::consumer
