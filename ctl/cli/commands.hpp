#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// One function per command, each in the file of its name: declares the command under `program` and
/// sets Console::exit when it ran. Both arguments outlive the parse.
void add_verify(CLI::App& program, Console& console);
void add_send(CLI::App& program, Console& console);
void add_migrate(CLI::App& program, Console& console);
void add_topics(CLI::App& program, Console& console);
void add_event(CLI::App& program, Console& console);
void add_callback(CLI::App& program, Console& console);
void add_anomaly(CLI::App& program, Console& console);
void add_source(CLI::App& program, Console& console);
void add_dlq(CLI::App& program, Console& console);
void add_outbox(CLI::App& program, Console& console);
void add_command(CLI::App& program, Console& console);
void add_lane(CLI::App& program, Console& console);
void add_doctor(CLI::App& program, Console& console);
void add_recipes(CLI::App& program, Console& console);
void add_paypal(CLI::App& program, Console& console);
void add_keys(CLI::App& program, Console& console);
void add_markers(CLI::App& program, Console& console);
void add_effects(CLI::App& program, Console& console);
void add_erase(CLI::App& program, Console& console);
void add_idle(CLI::App& program, Console& console);
void add_listen(CLI::App& program, Console& console);
void add_poll(CLI::App& program, Console& console);

}  // namespace sluice::ctl
