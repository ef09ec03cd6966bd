#pragma once

#include <string_view>

/// A named place where tests make the process die, stop, wait or fail. Compiled in with
/// SLUICE_FAILPOINTS only; otherwise FP(name) is the constant false and costs nothing.
///
/// Environment:
///   SLUICE_FAILPOINTS  "ingress.after_claim=kill;consumer.before_commit=delay:200@2;x=error@p0.1"
///                      name=action[:milliseconds][@trigger]; actions: kill (SIGKILL), stop (SIGSTOP),
///                      error (FP is true: the caller fails as if the step had), delay;
///                      trigger: N (the N-th hit only, from 1), N+ (from the N-th on), pX (probability X),
///                      none (every hit). A name may appear more than once. A malformed text
///                      aborts the process at its first failpoint.
///   SLUICE_FAILPOINTS_SEED the seed for the dice of pX; chosen at random without it.
///   SLUICE_FAILPOINTS_LOG  a file that gets one line "name" for the first hit of each name.
/// A name is used in one place of the source only; the list of names is `git grep 'FP("'`.
///   SLUICE_HURRY=N     HURRY() is N, else 1: how many times faster than in production time passes for
///                      what waits for minutes (consumer/lane/rules/retry_delays.hpp).
#ifdef SLUICE_FAILPOINTS
#define FP(name) (::sluice::failpoint(name))
#define HURRY() (::sluice::hurry())
#else
#define FP(name) (false)
#define HURRY() (1)
#endif

namespace sluice {

/// Carries out what the environment says for `name`; true when the caller must fail. Thread-safe.
[[nodiscard]] bool failpoint(std::string_view name);

/// SLUICE_HURRY, at least 1. Thread-safe.
[[nodiscard]] int hurry() noexcept;

}  // namespace sluice
