#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/telemetry/sampler.hpp"

namespace sluice {

/// One key and value of a log line. Keys are our own words: letters, digits and underscores. Values are never
/// bodies, signatures or secrets; text from outside is escaped and cut at 256 bytes. A duration is written in
/// milliseconds.
struct LogField {
    std::string_view key;
    std::variant<std::string_view, std::int64_t, double, bool, std::chrono::microseconds> value;
};

enum class LogLevel { debug, info, warn, error };

/// One JSON object per line on a file descriptor, written by a separate thread from a bounded
/// queue some milliseconds later, so that a blocked stdout never blocks an answer. When the queue is more
/// than half full, routine lines (`write_routine`) are dropped first; when it is full, any. Drops are counted
/// and reported in a separate line ("log_lines_dropped") when there is room again. Thread-safe. The
/// destructor writes what is queued, waiting at most a second; a thread that then still waits for a
/// reader is left behind.
///
///   {"time":"2026-11-21T19:03:22.123456Z","level":"info","program":"sluice-ingress",
///    "decision":"accepted","source":"stripe-eu","event":"evt_1","trace":"4bf9…"}
class Log {
public:
    static constexpr std::uint32_t most_capped_in_a_second = 1'000;

    struct Settings {
        std::string program;  ///< "sluice-ingress"
        LogLevel level = LogLevel::info;
        int descriptor = 1;           ///< not owned
        std::size_t capacity = 8192;  ///< lines
        double routine = 1;           ///< the share of events whose routine lines are written
    };

    explicit Log(Settings settings);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    /// A decision that happens for every event: accepted, duplicate, applied. Written where its trace is in
    /// the share, which is the same events in each process, or where it has none. First to be dropped.
    void write_event(std::string_view decision, std::string_view trace_id,
                     std::initializer_list<LogField> fields);
    /// What there is one of for each request or event. First to be dropped.
    void write_routine(std::string_view decision, std::initializer_list<LogField> fields);
    /// What anybody can cause any number of: a routine line too, `most_capped_in_a_second` in a second at
    /// most. Those above are dropped before they are made.
    void write_capped(std::string_view decision, std::initializer_list<LogField> fields);
    void info(std::string_view decision, std::initializer_list<LogField> fields);
    void warn(std::string_view decision, std::initializer_list<LogField> fields);
    void error(std::string_view decision, std::initializer_list<LogField> fields);

    [[nodiscard]] std::uint64_t dropped() const noexcept;

private:
    class Writer;
    [[nodiscard]] bool has_room_for_capped() noexcept;
    std::optional<Sampler> routine_;  // none: all of them
    std::atomic<std::int64_t> capped_second_{0};
    std::atomic<std::uint32_t> capped_{0};  // in that second
    std::shared_ptr<Writer> writer_;        // shared with its thread, see ~Log
};

/// `text` as the inside of a JSON string: quotes, backslashes and control characters escaped,
/// each byte that is not UTF-8 replaced by U+FFFD, cut at `limit` bytes before escaping, not inside a
/// character.
[[nodiscard]] std::string json_escaped(std::string_view text, std::size_t limit = 256);
void append_json_escaped(std::string& out, std::string_view text, std::size_t limit = 256);

}  // namespace sluice
