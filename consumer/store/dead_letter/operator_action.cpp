#include "consumer/store/dead_letter/operator_action.hpp"

#include <algorithm>
#include <utility>

#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::pair<ActionKind, std::string_view>, 6> action_names{{
    {ActionKind::retry, "retry"},
    {ActionKind::skip, "skip"},
    {ActionKind::edit, "edit"},
    {ActionKind::close, "close"},
    {ActionKind::rerun, "rerun"},
    {ActionKind::newer, "newer"},
}};

constexpr std::string_view insert_statement =
    "INSERT INTO operator_action (id, run, action, answer, why, object_key, event_day, dedup_key,"
    " dead_letter, operator, reason, database_user, host, requested_at, carried_out_at, body_sha256,"
    " approved_by, approval_reason, approved_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

Bytes cut_at(std::string_view text, std::size_t limit) {
    return Bytes{text.substr(0, limit)};
}

void append_what(std::vector<Datum>& out, const OperatorAction& action) {
    out.emplace_back(id_bytes(action.id));
    out.push_back(action.run ? Datum{id_bytes(*action.run)} : Datum{nullptr});
    out.insert(out.end(), {name_of(action.kind), name_of(action.answer), bytes_or_null(action.why, 64)});
}

void append_which(std::vector<Datum>& out, const OperatorAction& action) {
    out.emplace_back(cut_at(action.object_key, 512));
    append_inbox_key(out, action.inbox);
    out.push_back(action.dead_letter ? Datum{*action.dead_letter} : Datum{nullptr});
}

void append_who(std::vector<Datum>& out, const OperatorAction& action) {
    out.insert(out.end(), {cut_at(action.operator_name, 128), cut_at(action.reason, 1024),
                           cut_at(action.database_user, 128), cut_at(action.host, 255), action.requested_at,
                           action.carried_out_at,
                           action.body_sha256 ? digest_datum(*action.body_sha256) : Datum{nullptr}});
}

void append_approval(std::vector<Datum>& out, const std::optional<ActionApproval>& approval) {
    if (!approval) {
        out.insert(out.end(), 3, Datum{nullptr});
        return;
    }
    out.insert(out.end(),
               {cut_at(approval->operator_name, 128), cut_at(approval->reason, 1024), approval->approved_at});
}

}  // namespace

std::string_view name_of(ActionKind kind) noexcept {
    return std::ranges::find(action_names, kind, &std::pair<ActionKind, std::string_view>::first)->second;
}

std::string_view name_of(ActionAnswer answer) noexcept {
    return answer == ActionAnswer::carried_out ? "carried_out" : "refused";
}

std::optional<ActionKind> action_kind_from(std::string_view name) noexcept {
    const auto* found =
        std::ranges::find(action_names, name, &std::pair<ActionKind, std::string_view>::second);
    if (found == action_names.end()) return std::nullopt;
    return found->first;
}

Result<bool> insert_action(Connection& connection, const OperatorAction& action) {
    std::vector<Datum> parameters;
    append_what(parameters, action);
    append_which(parameters, action);
    append_who(parameters, action);
    append_approval(parameters, action.approval);
    return connection.insert(insert_statement, parameters);
}

}  // namespace sluice::store
