#include "consumer/command/command.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/time_text.hpp"

namespace sluice::command {
namespace {

constexpr std::array<std::pair<Flaw, std::string_view>, 10> flaw_names{{
    {Flaw::unreadable, "unreadable"},
    {Flaw::unknown_action, "unknown_action"},
    {Flaw::no_id, "no_id"},
    {Flaw::no_target, "no_target"},
    {Flaw::no_operator, "no_operator"},
    {Flaw::no_reason, "no_reason"},
    {Flaw::no_body, "no_body"},
    {Flaw::malformed_event, "malformed_event"},
    {Flaw::malformed_time, "malformed_time"},
    {Flaw::too_large, "too_large"},
}};

constexpr std::size_t longest_operator = 128;  // of operator_action
constexpr std::size_t longest_reason = 1024;

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
}

bool has_target(const Command& command) {
    if (command.dead_letter && *command.dead_letter <= 0) return false;
    if (command.action == store::ActionKind::rerun) return command.event && !command.dead_letter;
    if (command.action == store::ActionKind::close) return command.dead_letter.has_value();
    return command.event || command.dead_letter;
}

/// The columns of operator_action.
bool fits(const Command& command) {
    return command.object_key.size() <= 512 && command.operator_name.size() <= longest_operator &&
           command.reason.size() <= longest_reason && command.host.size() <= 255 &&
           command.database_user.size() <= 128 && command.effect.size() <= max_effect_name &&
           (!command.edit || command.edit->bytes.size() <= max_edited_body);
}

std::optional<Flaw> flaw_in_words(const std::string& operator_name, const std::string& reason) {
    if (is_blank(operator_name)) return Flaw::no_operator;
    if (is_blank(reason)) return Flaw::no_reason;
    return std::nullopt;
}

std::string_view bytes_of(const store::ActionId& id) {
    return {reinterpret_cast<const char*>(id.data()), id.size()};
}

store::ActionId id_of(const store::ActionId& run, std::initializer_list<std::string_view> target) {
    crypto::PartsDigest parts;
    parts.begin();
    parts.part(bytes_of(run));
    for (const std::string_view part : target) parts.part(part);
    const auto digest = parts.finish();
    store::ActionId id{};
    std::copy_n(digest.begin(), id.size(), id.begin());
    return id;
}

}  // namespace

std::string_view name_of(Flaw flaw) noexcept {
    return std::ranges::find(flaw_names, flaw, &std::pair<Flaw, std::string_view>::first)->second;
}

std::optional<Flaw> flaw_in(const Command& command) {
    if (command.id == store::ActionId{}) return Flaw::no_id;
    if (!has_target(command)) return Flaw::no_target;
    if (const auto flaw = flaw_in_words(command.operator_name, command.reason)) return flaw;
    if ((command.action == store::ActionKind::edit) != command.edit.has_value()) return Flaw::no_body;
    if (!fits(command)) return Flaw::too_large;
    return std::nullopt;
}

std::optional<Flaw> flaw_in(const Approval& approval) {
    if (const auto flaw = flaw_in_words(approval.operator_name, approval.reason)) return flaw;
    if (approval.operator_name.size() > longest_operator || approval.reason.size() > longest_reason)
        return Flaw::too_large;
    return std::nullopt;
}

bool has_its_body(const Command& command) {
    return !command.edit || crypto::sha256(command.edit->bytes) == command.edit->sha256;
}

std::string record_key(const Command& command) {
    if (!command.object_key.empty()) return command.object_key;
    return command.dead_letter ? std::to_string(*command.dead_letter) : std::string{};
}

store::ActionId id_in_run(const store::ActionId& run, std::int64_t dead_letter) {
    return id_of(run, {std::to_string(dead_letter)});
}

store::ActionId id_in_run(const store::ActionId& run, const store::InboxKey& event) {
    return id_of(run, {to_text(event.event_day), crypto::as_text(event.dedup_key)});
}

}  // namespace sluice::command
