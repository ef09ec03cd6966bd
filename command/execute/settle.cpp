#include "command/execute/settle.hpp"

#include <utility>

#include "command/execute/attempt.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/time_limit.hpp"

namespace sluice::command {

Answer settle(const PreparedCommand& command, Answer if_done, store::Connection& connection,
              Milliseconds time) {
    Answer not_known{.kind = Answer::Kind::unavailable,
                     .why = "the database did not say whether it was done: look it up"};
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return not_known;
    const store::TimeLimit limit{connection, time};
    const auto known = store::settled_command_key(connection, command.key());
    if (!known) return not_known;
    if (!*known || (*known)->has_expired)
        return {.kind = Answer::Kind::failed, .why = "it was not committed, and may be tried again"};
    auto said = answer_from(**known, command.request().fingerprint);
    const bool is_ours = said.kind == Answer::Kind::replayed && said.response == if_done.response;
    return is_ours ? std::move(if_done) : std::move(said);
}

}  // namespace sluice::command
