#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ctl/dlq/filter_options.hpp"
#include "ctl/operate/plan.hpp"
#include "ctl/options.hpp"

namespace sluice::ctl {

/// The options of dlq retry, skip, edit and close.
struct OperateOptions {
    CommonOptions common;
    std::vector<std::string> names;  ///< entries or events; none: the filter
    FilterOptions filter;
    bool everything = false;
    std::string body;  ///< a file, of edit
    std::string reason;
    std::string operator_name;
    std::string rate = "50/s";
    std::int64_t stop_after = 10;
    int wait = 30;
    std::string run;
    bool apply = false;
    bool unverified = false;  ///< of retry
};

void add_operate_options(CLI::App& command, OperateOptions& options, store::ActionKind action);

/// Throws Stopped(usage): neither names nor a filter, both, no such rate, no run of ours.
void refuse_unless_sound(const OperateOptions& options);
/// Throws Stopped(usage) without operator and reason, which go with whatever is written.
void refuse_unless_signed(const OperateOptions& options);

/// Of an edit, what its file holds. Throws Stopped(usage) when that is nothing, or too much for a command.
[[nodiscard]] std::optional<std::string> body_of(store::ActionKind action, const OperateOptions& options);

[[nodiscard]] std::int64_t total_in(const OrderPlan& plan);

}  // namespace sluice::ctl
