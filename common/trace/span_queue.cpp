#include "common/trace/span_queue.hpp"

#include <utility>

namespace sluice::trace {

bool SpanQueue::offer(std::string_view span) {
    if (waiting_.count >= bounds_.spans || waiting_.spans.size() + span.size() >= bounds_.bytes) return false;
    if (waiting_.count > 0) waiting_.spans += ',';
    waiting_.spans += span;
    ++waiting_.count;
    return true;
}

SpanQueue::Batch SpanQueue::take() {
    return std::exchange(waiting_, {});
}

bool SpanQueue::is_half_full() const noexcept {
    return waiting_.count * 2 >= bounds_.spans || waiting_.spans.size() * 2 >= bounds_.bytes;
}

}  // namespace sluice::trace
