#include "tests/model/rules.hpp"

namespace sluice::model {

// clang-format off
std::string_view name_of(Rule rule) noexcept {
    switch (rule) {
        case Rule::followers_wait: return "followers_wait";
        case Rule::one_inbox_row: return "one_inbox_row";
        case Rule::park_in_one_transaction: return "park_in_one_transaction";
        case Rule::commit_before_produce: return "commit_before_produce";
        case Rule::produce_before_ack: return "produce_before_ack";
        case Rule::redelivery_pays: return "redelivery_pays";
        case Rule::failure_starts_over: return "failure_starts_over";
        case Rule::run_under_lock: return "run_under_lock";
        case Rule::any_duplicate_pays: return "any_duplicate_pays";
        case Rule::any_record_pays: return "any_record_pays";
        case Rule::failure_is_verified: return "failure_is_verified";
        case Rule::pass_ends_armed: return "pass_ends_armed";
        case Rule::deferred_before_dead_go: return "deferred_before_dead_go";
        case Rule::deferred_keep_lane: return "deferred_keep_lane";
        case Rule::look_again: return "look_again";
        case Rule::dead_holds: return "dead_holds";
        case Rule::retry_in_turn: return "retry_in_turn";
        case Rule::command_once: return "command_once";
        case Rule::command_arms: return "command_arms";
        case Rule::superseding_arms: return "superseding_arms";
        case Rule::dlq_before_mark: return "dlq_before_mark";
        case Rule::mark_names_death: return "mark_names_death";
        case Rule::sweeper: return "sweeper";
        case Rule::count: break;
    }
    return "all rules";
}
// clang-format on

}  // namespace sluice::model
