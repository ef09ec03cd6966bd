#pragma once

#include <system_error>

namespace sluice {

/// What to do now. Each error category maps each of its codes to one of these in one table
/// (`default_error_condition`), so a decision reads `if (ec == failure::retry)`.
enum class failure {
    reject = 1,  ///< the input is at fault: answer so, never try again
    retry,       ///< the world is at fault: the same thing may succeed later, wait without limit
    park,        ///< this event cannot be applied as it is: set it aside for a person
};

/// What happened, where the code that saw it is ours. Libraries have categories of their own
/// (common/kafka/error.hpp, consumer/store/driver/error.hpp, ingress/dedup/redis_error.hpp).
enum class errc {
    timed_out = 1,        ///< our own deadline passed
    stopped,              ///< we are shutting down
    queue_full,           ///< a bounded queue of ours has no room
    unavailable,          ///< a dependency is known to be down (breaker open, not connected)
    undecodable,          ///< a record lacks what it must carry (common/record)
    unreadable_body,      ///< authentic bytes that the recipe cannot read
    missing_pointer,      ///< a JSON pointer names nothing
    wrong_type,           ///< a JSON value is there, but not of the type asked for
    out_of_range,         ///< a number outside int64, or a float where money is meant
    duplicate_key,        ///< an object on the way of the pointer has the key twice
    unlisted_row_count,   ///< a statement matched a number of rows that its `rows` do not list
    conflicting_content,  ///< the same event id with another content digest
    injected,             ///< a failpoint said so (tests only)
};

[[nodiscard]] const std::error_category& sluice_category() noexcept;
[[nodiscard]] const std::error_category& failure_category() noexcept;

[[nodiscard]] std::error_code make_error_code(errc e) noexcept;
[[nodiscard]] std::error_condition make_error_condition(failure f) noexcept;

}  // namespace sluice

template <>
struct std::is_error_code_enum<sluice::errc> : std::true_type {};
template <>
struct std::is_error_condition_enum<sluice::failure> : std::true_type {};
