#pragma once

#include "ctl/operate/send_request.hpp"

namespace sluice::ctl {

/// What is done with a request that was planned.
enum class SendMode {
    show,     ///< the plan alone
    ask,      ///< do it once a person at the terminal says yes, who has given operator and reason
    send,     ///< --apply
    propose,  ///< --propose: a second operator sends it
};
[[nodiscard]] SendMode send_mode_of(const RunOptions& options, const Console& console) noexcept;

/// Throws Stopped(usage) for a request that takes two operators and is to be sent by one.
[[nodiscard]] SendMode allowed_send_mode(SendMode mode, const OperatorRequest& request,
                                         const RequestSettings& settings);

/// Below a plan that is only shown.
[[nodiscard]] std::string what_next(const OperatorRequest& request, const RequestSettings& settings);

/// Asks on the terminal: "Type yes to retry 12: ". A person may read the plan for an hour: the session on
/// `connection` lasts that long.
[[nodiscard]] bool says_yes(std::string_view what, store::Connection& connection, Console& console);

/// Asks so where the mode is to ask. Throws Stopped(no) for any other answer than yes.
void confirm(SendMode mode, const OperatorRequest& request, std::int64_t total, store::Connection& connection,
             Console& console);

}  // namespace sluice::ctl
