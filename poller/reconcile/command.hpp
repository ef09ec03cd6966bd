#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "common/operations/signed_by.hpp"

namespace sluice::poller {

/// The command line of `sluice-poller reconcile`.
struct ReconcileOptions : SignedBy {
    std::string source;
    std::string from;
    std::string to;
    bool applies = false;
    bool before_first = false;
    bool json = false;
    bool undelivered = false;
    std::string file;
};

/// Declares it below `program`, whose --config counts for it as well; --check and --once, which are there
/// already, do not go with it.
CLI::App& add_reconcile(CLI::App& program, ReconcileOptions& options);

/// The exit status: 0 all was judged and nothing is missing, 1 something was (also where it is injected now),
/// 3 it could not look at all, or not judge all. Throws config::Refused for what cannot be done as it is
/// asked for.
[[nodiscard]] int run_reconcile(const std::string& file, const ReconcileOptions& options);

}  // namespace sluice::poller
