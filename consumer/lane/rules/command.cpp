#include "consumer/lane/rules/command.hpp"

namespace sluice::lane {
namespace {

Reply refused(std::string_view why) {
    return {.kind = Reply::Kind::refused, .row = {}, .wakeup = {}, .why = why};
}

}  // namespace

Reply obey(Action action, const std::optional<Row>& row, const Wakeup& wakeup, WallTime now) {
    if (!row) return refused("finished");
    if (row->status == Status::newer) return refused("newer");
    // It has not been tried: what it waits for is the event to act upon.
    if (row->status == Status::parked) return refused("parked");
    const Wakeup woken = armed(wakeup, now);
    if (action == Action::skip)
        return {.kind = Reply::Kind::skipped, .row = *row, .wakeup = woken, .why = {}};
    const Row again{.position = row->position, .status = Status::retry, .due_at = now, .first_failed_at = {}};
    return {.kind = Reply::Kind::run_again, .row = again, .wakeup = woken, .why = {}};
}

std::string_view name_of(Action action) noexcept {
    switch (action) {
        case Action::retry:
            return "retry";
        case Action::skip:
            return "skip";
        case Action::edit:
            break;
    }
    return "edit";
}

}  // namespace sluice::lane
