#pragma once

#include <atomic>
#include <memory>

#include "common/kafka/handle.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// A polled message as a Record that owns it. `bytes` is raised by its size until the last copy of the record
/// is gone, on any thread. The generation is the caller's to fill in.
[[nodiscard]] Record polled_record(kafka::Message message, std::shared_ptr<std::atomic<std::size_t>> bytes);

}  // namespace sluice::consumer
