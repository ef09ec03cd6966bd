#pragma once

#include <system_error>

namespace sluice {

/// What happened, where the code that saw it is ours. Libraries have categories of their own
/// (common/kafka/error.hpp, consumer/store/driver/error.hpp). What follows is decided where the error
/// arrives (consumer/effects/effect/refused_statement.hpp, consumer/apply/own_failures.hpp).
enum class errc {
    timed_out = 1,       ///< our own deadline passed
    stopped,             ///< we are shutting down
    undecodable,         ///< a record lacks what it must carry (common/record)
    unreadable_body,     ///< authentic bytes that the recipe cannot read
    missing_pointer,     ///< a JSON pointer names nothing
    wrong_type,          ///< a JSON value is there, but not of the type asked for
    out_of_range,        ///< a number outside int64, or a float where money is meant
    not_said,            ///< the event does not say which of several things it means
    duplicate_key,       ///< an object on the pointer's path has the key twice
    unlisted_row_count,  ///< a statement matched a number of rows that its `rows` do not list
    injected,            ///< a failpoint said so (tests only)
};

[[nodiscard]] const std::error_category& sluice_category() noexcept;
[[nodiscard]] std::error_code make_error_code(errc e) noexcept;

}  // namespace sluice

template <>
struct std::is_error_code_enum<sluice::errc> : std::true_type {};
