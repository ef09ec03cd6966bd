#include "ctl/event/show/applied.hpp"

#include <format>

namespace sluice::ctl {
namespace {

using store::InboxStatus;
using VerdictKind = AppliedVerdict::Kind;

AppliedVerdict verdict_on(const store::InboxRow& row) {
    switch (row.status) {
        case InboxStatus::done:
            return {VerdictKind::applied, {}};
        case InboxStatus::dead:
            return {VerdictKind::over, std::format("event {} is dead ({}): sluicectl dlq show {}",
                                                   row.event_id, row.error_class, row.event_id)};
        case InboxStatus::ignored:
            return {VerdictKind::over,
                    std::format("event {} was accepted, but no effect matches it", row.event_id)};
        case InboxStatus::skipped:
            return {VerdictKind::over, std::format("event {} was skipped by an operator", row.event_id)};
        case InboxStatus::retry:
        case InboxStatus::deferred:
        case InboxStatus::parked:
        case InboxStatus::rerun:
        case InboxStatus::newer:
            break;
    }
    return {VerdictKind::open, std::format("event {} is not applied yet: it waits ({})", row.event_id,
                                           store::name_of(row.status))};
}

}  // namespace

AppliedVerdict applied_verdict(const std::string& id, std::span<const store::InboxRow> rows) {
    if (rows.empty()) return {VerdictKind::open, std::format("the inbox has no event {}", id)};
    AppliedVerdict worst{VerdictKind::applied, {}};
    for (const auto& row : rows) {
        auto verdict = verdict_on(row);
        const bool is_worse = verdict.kind == VerdictKind::over || worst.kind == VerdictKind::applied;
        if (is_worse) worst = std::move(verdict);
    }
    return worst;
}

}  // namespace sluice::ctl
