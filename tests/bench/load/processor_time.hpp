#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sluice::bench {

/// What a process has used so far: utime + stime of /proc/<pid>/stat, all its threads, without its children.
/// Throws std::runtime_error when there is no such process.
[[nodiscard]] std::int64_t processor_microseconds(int process);

/// By thread, "name/id", from the scheduler's books: finer than ticks.
[[nodiscard]] std::map<std::string, std::int64_t> thread_microseconds(int process);

}  // namespace sluice::bench
