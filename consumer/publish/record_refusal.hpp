#pragma once

#include <system_error>

namespace sluice::consumer {

/// The topic takes no record of that size.
[[nodiscard]] bool is_too_large(std::error_code error) noexcept;

/// The broker has answered, and does not take this record: its size, its form, a rule about it or a right to
/// write it. Another record may well be taken, so nothing else has to wait for this one.
[[nodiscard]] bool is_refusal_of_the_record(std::error_code error) noexcept;

/// The same without the right: a topic that nothing may be written to refuses all of an outbox's messages.
[[nodiscard]] bool is_refusal_of_the_message(std::error_code error) noexcept;

}  // namespace sluice::consumer
