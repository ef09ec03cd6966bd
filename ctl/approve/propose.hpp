#pragma once

#include "ctl/operate/send_request.hpp"

namespace sluice::ctl {

/// Signs the commands and writes them into the file for the second operator. Throws Stopped: without a key of
/// this operator, for too many of them, and where the file cannot be written.
[[nodiscard]] Exit propose(const RunOptions& options, Form form, const OperatorRequest& request,
                           const RequestSettings& settings, CommandPages& pages, std::int64_t total,
                           Console& console);

}  // namespace sluice::ctl
