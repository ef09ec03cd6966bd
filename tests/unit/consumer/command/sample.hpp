#pragma once

#include "consumer/command/command.hpp"

namespace sluice::command {

[[nodiscard]] inline store::ActionId id_of(std::uint8_t number) {
    store::ActionId id{};
    id.back() = number;
    return id;
}

/// A retry of one event of a run.
[[nodiscard]] inline Command sample_command() {
    using std::chrono::year;
    Command command;
    command.id = id_of(1);
    command.run = id_of(2);
    command.object_key = "stripe/acct_main/pi_\xff";  // a record key is bytes
    command.event = {std::chrono::sys_days{year{2026} / 11 / 21}, crypto::sha256("event")};
    command.dead_letter = 4711;
    command.operator_name = "ada";
    command.reason = "the wallet is there now \xe2\x9c\x93";
    command.host = "bastion-1";
    command.database_user = "oncall@10.0.0.7";
    command.requested_at = WallTime{std::chrono::microseconds{1'795'287'802'123'456}};
    return command;
}

[[nodiscard]] inline Command sample_edit(std::string body) {
    Command command = sample_command();
    command.action = store::ActionKind::edit;
    command.edit = {crypto::sha256(body), std::move(body)};
    return command;
}

}  // namespace sluice::command
