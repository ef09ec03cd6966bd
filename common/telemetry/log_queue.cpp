#include "common/telemetry/log_queue.hpp"

namespace sluice {

bool LogQueue::offer(std::string_view line, bool routine) {
    const std::size_t depth = lengths_.size() + in_hand_;
    if (depth >= capacity_ || (routine && depth * 2 > capacity_)) {
        ++dropped_;
        return false;
    }
    text_ += line;
    lengths_.push_back(line.size());
    return true;
}

std::string LogQueue::take(std::size_t most_bytes) {
    std::size_t bytes = 0;
    while (!lengths_.empty() && (bytes == 0 || bytes + lengths_.front() <= most_bytes)) {
        bytes += lengths_.front();
        lengths_.pop_front();
        ++in_hand_;
    }
    std::string batch = text_.substr(begin_, bytes);
    begin_ += bytes;
    // Taken text is removed once it is most of the whole, so that each byte is moved about once.
    if (begin_ * 2 >= text_.size()) {
        text_.erase(0, begin_);
        begin_ = 0;
    }
    return batch;
}

void LogQueue::lost() noexcept {
    dropped_ += in_hand_;
    in_hand_ = 0;
}

}  // namespace sluice
