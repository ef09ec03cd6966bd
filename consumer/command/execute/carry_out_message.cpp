#include "consumer/command/execute/carry_out.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/outbox/outbox.hpp"

/// The part of consumer/command/execute/carry_out.hpp that is about messages which their destination refused.
namespace sluice::consumer {

Result<CarryOut::Answer> CarryOut::of_message(const command::Command& command,
                                              const store::DeadLetterRow& dead_letter,
                                              store::Connection& connection) {
    const bool is_possible =
        command.action == store::ActionKind::retry || command.action == store::ActionKind::skip;
    if (!is_possible) return refuse(command, "impossible", connection);
    const bool is_sent_again = command.action == store::ActionKind::retry;
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto how = is_sent_again ? store::ClosedAs::retried : store::ClosedAs::skipped;
    const auto closed = store::close_dead_letter(connection, dead_letter.id, how, context_.clock.wall());
    if (!closed) return Failure{closed.error()};
    Answer answer;
    if (*closed == 0) answer.refuse("finished");
    if (*closed == 1) {
        const auto changed = is_sent_again ? store::send_again(connection, dead_letter.offset)
                                           : store::skip_message(connection, dead_letter.offset);
        if (!changed) return Failure{changed.error()};
    }
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return Answer{.kind = Answer::Kind::before};
    if (auto committed = commit(*open, connection); !committed) return Failure{committed.error()};
    return answer;
}

}  // namespace sluice::consumer
