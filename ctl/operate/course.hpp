#pragma once

#include "ctl/operate/send_order.hpp"

namespace sluice::ctl {

/// What is done with an order that was planned.
enum class Course {
    show,     ///< the plan alone
    ask,      ///< do it once a person at the terminal says yes, who has given operator and reason
    send,     ///< --apply
    propose,  ///< --propose: a second operator sends it
};
[[nodiscard]] Course course_of(const RunOptions& options, const Console& console) noexcept;

/// Throws Stopped(usage) for an order that takes two operators and is to be sent by one.
[[nodiscard]] Course allowed_course(Course course, const Order& order, const OrderSettings& settings);

/// Below a plan that is only shown.
[[nodiscard]] std::string what_next(const Order& order, const OrderSettings& settings);

/// Asks on the terminal: "Type yes to retry 12: ". A person may read the plan for an hour: the session on
/// `connection` lasts that long.
[[nodiscard]] bool says_yes(std::string_view what, store::Connection& connection, Console& console);

/// Asks so where the course is to ask. Throws Stopped(no) for any other answer than yes.
void confirm(Course course, const Order& order, std::int64_t total, store::Connection& connection,
             Console& console);

}  // namespace sluice::ctl
