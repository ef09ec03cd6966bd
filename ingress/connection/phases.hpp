#pragma once

#include <chrono>
#include <cstddef>

/// How long each phase of a connection may last. A phase's deadline is set once, when it begins: a
/// peer that sends a byte now and then gains nothing. Between requests it is listen.idle.
namespace sluice::connection {

inline constexpr std::chrono::seconds handshake_within{5};
inline constexpr std::chrono::seconds head_within{5};   ///< from its first byte
inline constexpr std::chrono::seconds body_within{10};  ///< of any length
inline constexpr std::chrono::seconds write_within{5};
inline constexpr std::chrono::seconds linger_within{1};  ///< for a refused peer to read the answer

/// How long a connection rests, at most, after its client was told that it is over a limit.
inline constexpr std::chrono::seconds rest_at_most{1};
/// How long that of the client rests which sent too many wrong signatures, one after the other: not all of
/// those that begin together shall come back together.
constexpr std::chrono::milliseconds rest_of_forger(unsigned number) {
    return rest_at_most - std::chrono::milliseconds{50} * (number % 10);
}

/// An idle connection keeps its buffer this long, since a busy one sends its next request at once.
inline constexpr std::chrono::seconds buffer_kept_for{1};

/// Most bytes that are read and thrown away after a refusal. More than a proxy has of a body a little above
/// the default bound: a proxy that cannot send it all answers 502 instead of our 413.
inline constexpr std::size_t linger_bytes = 1024 * 1024;

}  // namespace sluice::connection
