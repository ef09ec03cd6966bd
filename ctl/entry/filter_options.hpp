#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/entry/number_options.hpp"

namespace sluice::ctl {

/// Which entries of the DLQ, as people name them.
struct FilterOptions {
    std::string source;
    std::string type;
    std::string object;
    std::string error_class;
    std::string effect;
    std::string kind;
    std::string destination;  ///< of messages
    std::string since;
    std::string until;
    std::string text;
    NumberOptions numbers;
    bool closed = false;
    bool all = false;

    /// Nothing narrows it: all that is open.
    [[nodiscard]] bool is_empty() const;
};

void add_filter_options(CLI::App& command, FilterOptions& options);
/// Those that messages have: the kind is given, and an effect did not decide it.
void add_message_options(CLI::App& command, FilterOptions& options);
/// --closed and --all, for lists: only what is open can be acted upon.
void add_course_options(CLI::App& command, FilterOptions& options);

/// The time that the option `name` was given; nullopt for none. Throws Stopped(usage) for text that is no
/// time.
[[nodiscard]] std::optional<WallTime> time_named(const std::string& name, const std::string& text,
                                                 WallTime now);

/// Throws Stopped(usage) for a time or a kind that is none. A time is RFC 3339, or how long ago: 30m, 2h, 7d.
[[nodiscard]] store::DeadLetterFilter filter_of(const FilterOptions& options, WallTime now);

}  // namespace sluice::ctl
