#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ctl/cli/options.hpp"
#include "ctl/entry/filter_options.hpp"
#include "ctl/operate/entry_plan.hpp"
#include "ctl/operate/run_options.hpp"

namespace sluice::ctl {

/// The options of dlq retry, skip, edit and close.
struct OperateOptions {
    CommonOptions common;
    std::vector<std::string> names;  ///< entries or events; none: the filter
    FilterOptions filter;
    bool everything = false;
    bool with_behind = false;  ///< also what comes up behind them, of retry and skip
    std::string resolved;      ///< one word for what was done, of skip and close
    std::string body;          ///< a file, of edit
    RunOptions run;
};

void add_operate_options(CLI::App& command, OperateOptions& options, store::ActionKind action);

/// Throws Stopped(usage): neither names nor a filter, both, no such rate, no run of ours.
void refuse_unless_sound(const OperateOptions& options);

/// Of an edit, what its file holds. Throws Stopped(usage) when that is nothing, or too much for a command.
[[nodiscard]] std::optional<std::string> body_of(store::ActionKind action, const OperateOptions& options);

/// As it is kept: "resolved: refunded; by hand".
[[nodiscard]] std::string reason_of(const OperateOptions& options);

[[nodiscard]] std::int64_t total_in(const EntryPlan& plan);

}  // namespace sluice::ctl
