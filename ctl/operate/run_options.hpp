#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "common/operations/signed_by.hpp"

namespace sluice::ctl {

/// How the commands of a run are sent, and who asks for them.
struct RunOptions : SignedBy {
    std::string rate = "50/s";
    std::int64_t stop_after = 10;
    int wait = 30;
    std::string run;
    std::string propose;  ///< a file for the second operator, instead of sending
    bool apply = false;
    bool unverified = false;  ///< where requests are verified again
};

void add_who(CLI::App& command, RunOptions& options);
void add_pace(CLI::App& command, RunOptions& options);
/// The pace, which run, and whether it is only proposed.
void add_how(CLI::App& command, RunOptions& options);
void add_unverified(CLI::App& command, RunOptions& options);

/// Throws Stopped(usage) for a rate that is none, for what is both sent and proposed, and for a proposal that
/// would have the ids of an earlier run.
void refuse_unless_paced(const RunOptions& options);

}  // namespace sluice::ctl
