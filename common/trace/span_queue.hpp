#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::trace {

/// Spans that wait to be sent, encoded, bounded in number and bytes: no threads, no I/O.
class SpanQueue {
public:
    struct Bounds {
        std::size_t spans = 2048;
        std::size_t bytes = 4 << 20;
    };
    struct Batch {
        std::string spans;  ///< with a comma between each two
        std::size_t count = 0;
    };

    explicit SpanQueue(Bounds bounds) : bounds_{bounds} {}

    /// False: it is full, and the span is lost.
    [[nodiscard]] bool offer(std::string_view span);
    /// All of them.
    [[nodiscard]] Batch take();

    [[nodiscard]] bool empty() const noexcept { return waiting_.count == 0; }
    /// So full that there is no point in waiting for more.
    [[nodiscard]] bool is_half_full() const noexcept;

private:
    Bounds bounds_;
    Batch waiting_;
};

}  // namespace sluice::trace
