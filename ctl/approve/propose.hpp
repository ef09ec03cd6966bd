#pragma once

#include "ctl/operate/send_order.hpp"

namespace sluice::ctl {

/// What is done with an order that was planned.
enum class Course {
    show,     ///< the plan alone
    ask,      ///< send it once a person at the terminal says yes
    send,     ///< --apply
    propose,  ///< --propose: a second operator sends it
};
[[nodiscard]] Course course_of(const RunOptions& options, const Console& console) noexcept;

/// Throws Stopped(usage) for an order that takes two operators and is to be sent by one.
[[nodiscard]] Course allowed_course(Course course, const Order& order, const OrderSettings& settings);

/// Below a plan that is only shown.
[[nodiscard]] std::string what_next(const Order& order, const OrderSettings& settings);

/// Signs the commands and writes them into the file for the second operator. Throws Stopped: without a key of
/// this operator, for too many of them, and where the file cannot be written.
[[nodiscard]] Exit propose(const RunOptions& options, Form form, const Order& order,
                           const OrderSettings& settings, CommandPages& pages, std::int64_t total,
                           Console& console);

}  // namespace sluice::ctl
