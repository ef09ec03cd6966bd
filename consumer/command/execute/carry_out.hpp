#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/command/command.hpp"
#include "consumer/command/execute/authenticity.hpp"
#include "consumer/lane/rules/command.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// Carries out what an operator asked for, in one transaction with its row in `operator_action`: a command
/// that arrives twice finds that row. It changes one event or one entry and owes a wakeup; the pass that
/// follows runs the effects, so that nothing runs out of its turn. One thread's.
class CarryOut {
public:
    CarryOut(const LaneContext& context, const Authenticity& authenticity)
        : context_{context}, authenticity_{authenticity} {}

    struct Answer {
        enum class Kind { carried_out, refused, before };
        Kind kind = Kind::carried_out;
        std::string_view why{};  ///< of refused; closed set: finished parked not_authentic unverifiable
                                 ///< body_differs unreadable conflict too_old holds_a_lane other_object
                                 ///< inconsistent impossible newer overtaken, and those of
                                 ///< Authority::objection; of a rerun also unknown_event
                                 ///< no_payload edited source_unknown and those of effects::Rerun
        std::vector<std::string> objects{};  ///< of a request's events, whose lanes are to be visited too
        std::string traceparent{};           ///< of the event's record; empty: unknown

        void refuse(std::string_view because) {
            kind = Kind::refused;
            why = because;
        }
    };

    /// A command without a flaw. Outside of a transaction; a Failure is one of our own statements'.
    [[nodiscard]] Result<Answer> run(const command::Command& command, store::Connection& connection);

    /// For a command at which one of our own statements fails because of the command: it would fail for ever
    /// and hold up all behind it. In its own transaction.
    [[nodiscard]] Result<Answer> refuse(const command::Command& command, std::string_view why,
                                        store::Connection& connection);

private:
    struct Target;

    /// `dead_letter`: the entry that the operator saw, which stands in the lane.
    [[nodiscard]] Result<Answer> in_lane(const command::Command& command,
                                         const store::DeadLetterRow* dead_letter,
                                         store::Connection& connection);
    [[nodiscard]] Result<Answer> in_lane(const command::Command& command,
                                         const store::DeadLetterRow* dead_letter,
                                         store::Connection& connection, bool gives_inbox_row);
    /// Two operators saw an entry; they did not see what became of its event since. Under the lane's lock.
    [[nodiscard]] static Result<bool> is_overtaken(const command::Command& command,
                                                   store::Connection& connection);
    /// Effects were chosen in it: overtaken ones must not stay with the event.
    [[nodiscard]] Result<void> commit(store::OpenTransaction& open, store::Connection& connection) const;
    [[nodiscard]] Result<Answer> obey(Target& target);
    [[nodiscard]] static Result<std::optional<lane::Row>> find(const command::Command& command,
                                                               const store::LaneKey& lane,
                                                               std::optional<lane::Position> position,
                                                               store::Connection& connection);
    [[nodiscard]] static Result<std::optional<store::InboxStatus>> inbox_status(const Target& target);
    /// Of an event that was set apart without an inbox row (consumer/main_role/set_apart.cpp): whether it has
    /// one now, so that what the provider delivers again is a duplicate from here on. A row that cannot be
    /// had does not keep the event from being skipped.
    [[nodiscard]] Result<bool> give_inbox_row(const Target& target);
    [[nodiscard]] Result<Answer> skip(Target& target, const lane::Reply& reply);
    [[nodiscard]] Result<Answer> run_again(Target& target, const lane::Reply& reply);
    [[nodiscard]] Result<std::string_view> objection_in_lane(const command::Command& command,
                                                             const std::optional<store::LanePlace>& place,
                                                             store::Connection& connection);
    /// `delivery`: the whole body that an item came in, where it is at hand.
    [[nodiscard]] std::string_view objection(const command::Command& command, const Record& record,
                                             std::string_view delivery = {}) const;
    /// What will be run: the edited body, or the event's own.
    [[nodiscard]] static std::string_view body_of(const command::Command& command, const Item& item);
    /// The names of the effects that match it.
    [[nodiscard]] std::vector<std::string> effects_after(const command::Command& command,
                                                         const Item& item) const;
    [[nodiscard]] Result<void> edit(Target& target, const Item& item, const lane::Row& row);

    /// A message that its destination refused (carry_out_message.cpp).
    [[nodiscard]] Result<Answer> of_message(const command::Command& command,
                                            const store::DeadLetterRow& dead_letter,
                                            store::Connection& connection);

    // Entries that hold no lane (carry_out_entry.cpp).
    [[nodiscard]] Result<Answer> of_entry(const command::Command& command,
                                          const store::DeadLetterRow& dead_letter,
                                          store::Connection& connection);
    [[nodiscard]] std::string_view objection_to_entry(const command::Command& command,
                                                      const store::DeadLetterRow& dead_letter,
                                                      const Item& item, std::span<const Item> events) const;
    /// An event with its id was taken in already, and this one would be applied beside it: only an operator
    /// who has seen both may order that. The process that opened the entry may not have known one of two
    /// endpoints of an account, as before the roll-out that adds it: where our file has both, nothing is left
    /// to do.
    [[nodiscard]] Result<std::string_view> objection_to_conflict(const command::Command& command,
                                                                 const Item& item,
                                                                 store::Connection& connection) const;
    [[nodiscard]] Result<Answer> let_in(const command::Command& command,
                                        const store::DeadLetterRow& dead_letter, Item& item,
                                        store::Connection& connection);

    [[nodiscard]] Result<Answer> write_refusal(const command::Command& command, Answer answer,
                                               store::Connection& connection);

    // Of these, requests that the ingress could not read (carry_out_request.cpp).
    enum class Arrival { fresh, known, conflict };
    static constexpr std::string_view came_meanwhile = "finished";

    /// Empty where they cannot be read today either.
    [[nodiscard]] std::vector<Item> events_of(const command::Command& command, const Item& kept) const;
    [[nodiscard]] std::string_view objection_to_request(const command::Command& command, const Item& kept,
                                                        std::span<const Item> events) const;
    [[nodiscard]] Result<Answer> let_request_in(const command::Command& command,
                                                const store::DeadLetterRow& dead_letter,
                                                std::span<Item> events, const Item& kept,
                                                store::Connection& connection);
    [[nodiscard]] Result<Arrival> insert_own(const command::Command& command,
                                             const store::DeadLetterRow& dead_letter, Item& event,
                                             const Item& kept, store::Connection& connection) const;
    /// The provider's own redelivery, or another entry of the same event, was faster.
    [[nodiscard]] Result<Answer> close_as_done(const command::Command& command,
                                               const store::DeadLetterRow& dead_letter, Answer answer,
                                               store::Connection& connection);

    // Finished events, for effects that they had not (carry_out_rerun.cpp).
    struct Past;
    [[nodiscard]] Result<Answer> rerun(const command::Command& command, store::Connection& connection);
    /// A refusal is final too: one by overtaken effects would leave the event out of the run for good.
    [[nodiscard]] Result<Answer> refuse_rerun(const command::Command& command, Answer answer,
                                              store::Connection& connection);
    /// Of an event that was done: why its request is no longer archived.
    [[nodiscard]] static Result<Past> without_payload(const store::InboxRow& row,
                                                      store::Connection& connection);
    [[nodiscard]] Result<Past> find_past(const command::Command& command,
                                         store::Connection& connection) const;
    [[nodiscard]] Result<Answer> put_in_lane(const command::Command& command, const Item& item,
                                             store::Connection& connection);

    [[nodiscard]] Result<bool> write_down(const command::Command& command, const Answer& answer,
                                          store::Connection& connection) const;

    LaneContext context_;
    const Authenticity& authenticity_;
};

}  // namespace sluice::consumer
