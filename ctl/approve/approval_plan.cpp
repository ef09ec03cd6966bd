#include "ctl/approve/approval_plan.hpp"

#include <algorithm>
#include <format>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/command/approval.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/operate/entry_plan.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

std::string what_of(const command::Command& command) {
    return std::string{store::name_of(command.action)} + (command.unverified ? " --unverified" : "") +
           (command.effect.empty() ? "" : " --effect " + command.effect);
}

/// What the first operator wrote cannot start a new line.
std::string on_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return redact::without_control_bytes(text);
}

std::string heading_text(const std::vector<ProposedCommand>& plan, WallTime now) {
    const auto& command = plan.front().entry.command;
    const auto lapses = command.requested_at + command::proposal_lives;
    return std::format("{} proposes to {} {}:\n\nreason    {}\n", on_one_line(command.operator_name),
                       on_one_line(what_of(command)), plan.size(), on_one_line(command.reason)) +
           std::format("asked     {}, {} ago, from {} as {}\nlapses    {}\n\n",
                       short_time(command.requested_at), age_text(now - command.requested_at),
                       on_one_line(command.host), on_one_line(command.database_user), short_time(lapses));
}

std::string entries_text(const std::vector<ProposedCommand>& plan, WallTime now) {
    std::vector<store::DeadLetterRow> dead_letters;
    Table others{{"OBJECT", "EVENT KEY"}};
    std::string objections;
    for (const auto& proposed : plan) {
        const auto& command = proposed.entry.command;
        if (proposed.details) {
            dead_letters.push_back(proposed.details->dead_letter);
        } else {
            others.row({command.object_key, command.event ? crypto::to_hex(command.event->dedup_key) : ""});
        }
        if (const auto why = proposed.objection())
            objections += std::format("entry {}: {}\n", command.dead_letter.value_or(0), *why);
    }
    std::string text = dead_letters_table(dead_letters, now);
    if (dead_letters.size() < plan.size()) text += others.text();
    return text + objections;
}

std::string changes_text(const std::string& from, const std::string& to) {
    const auto changes = changes_between(from, to);
    if (!changes) return "change    not both are JSON: --save-body shows the new one\n";
    if (changes->empty())
        return "change    no value: only spaces, order, the form of numbers, or duplicate keys\n";
    Table table{{"CHANGE", "FROM", "TO"}};
    for (const auto& change : *changes) table.row({change.path, change.from, change.to});
    return "\n" + table.text();
}

/// What an edit is compared with: as the operator who edited it has seen it.
const std::string* editable(const std::optional<DeadLetterDetails>& details) {
    if (!details || !details->body) return nullptr;
    return details->opened ? &*details->opened : &*details->body;
}

std::string body_text(const ProposedCommand& proposed) {
    const auto& edit = proposed.entry.command.edit;
    if (!edit) return {};
    const auto line = [](std::string_view name, const std::string& body) {
        return std::format("{} {} bytes, SHA-256 {}\n", name, body.size(),
                           crypto::to_hex(crypto::sha256(body)));
    };
    const auto& now = proposed.details ? proposed.details->body : std::nullopt;
    std::string text = "\n" + (now ? line("body now ", *now) : "body now  not available\n");
    text += line("new body ", edit->bytes);
    return text + (now ? changes_text(*editable(proposed.details), edit->bytes) : "");
}

Json body_json(const ProposedCommand& proposed) {
    const auto& edit = proposed.entry.command.edit;
    if (!edit) return nullptr;
    const auto& now = proposed.details ? proposed.details->body : std::nullopt;
    Json changes = nullptr;
    if (const auto found = now ? changes_between(*editable(proposed.details), edit->bytes) : std::nullopt) {
        changes = Json::array();
        for (const auto& change : *found)
            changes.push_back({{"path", change.path}, {"from", change.from}, {"to", change.to}});
    }
    return {{"now_sha256", now ? Json(crypto::to_hex(crypto::sha256(*now))) : Json(nullptr)},
            {"new_sha256", crypto::to_hex(crypto::sha256(edit->bytes))},
            {"changes", std::move(changes)}};
}

Json command_json(const ProposedCommand& proposed) {
    const auto& command = proposed.entry.command;
    const auto why = proposed.objection();
    return {{"id", uuid_text(command.id)},
            {"object_key", command.object_key},
            {"entry", proposed.details ? to_json(proposed.details->dead_letter) : Json(nullptr)},
            {"objection", why ? Json(*why) : Json(nullptr)},
            {"body", body_json(proposed)}};
}

}  // namespace

std::optional<std::string> ProposedCommand::objection() const {
    const bool is_rerun = entry.command.action == store::ActionKind::rerun;
    if (!entry.command.dead_letter)
        return is_rerun ? std::nullopt : std::optional{"it does not name an entry"};
    if (!details) return "the entry no longer exists";
    if (!command::has_its_body(entry.command)) return "its body is not the one that was signed";
    if (details->dead_letter.object_key != entry.command.object_key) return "it belongs to another object";
    if (entry.command.event && entry.command.event != details->dead_letter.inbox)
        return "it belongs to another event";
    return ctl::objection(entry.command.action, details->dead_letter);
}

std::optional<std::string> objection(const Proposal& proposal, const std::string& approver,
                                     const std::string& group, WallTime now) {
    const auto& first = proposal.entries.front().command;
    if (proposal.group != group)
        return "this was proposed for the group " + proposal.group + ", and kafka.group here is " + group;
    for (const auto& entry : proposal.entries) {
        if (command::has_lapsed(entry.command.requested_at, now)) {
            return std::format("this was proposed at {} and is valid for {} hours: ask for a new proposal",
                               short_time(entry.command.requested_at), command::proposal_lives.count());
        }
    }
    if (approver == first.operator_name) return approver + " proposed this: another operator must approve it";
    return std::nullopt;
}

std::string to_people(const std::vector<ProposedCommand>& plan, WallTime now) {
    std::string text = heading_text(plan, now) + entries_text(plan, now);
    for (const auto& proposed : plan) text += body_text(proposed);
    return text;
}

Json to_json(const Proposal& proposal, const std::vector<ProposedCommand>& plan) {
    const auto& first = proposal.entries.front().command;
    Json commands = Json::array();
    for (const auto& proposed : plan) commands.push_back(command_json(proposed));
    return {{"run", uuid_text(proposal.run)},
            {"action", std::string{store::name_of(first.action)}},
            {"unverified", first.unverified},
            {"effect", first.effect},
            {"operator", first.operator_name},
            {"reason", first.reason},
            {"requested_at", to_rfc3339(first.requested_at)},
            {"lapses_at", to_rfc3339(first.requested_at + command::proposal_lives)},
            {"commands", std::move(commands)}};
}

}  // namespace sluice::ctl
