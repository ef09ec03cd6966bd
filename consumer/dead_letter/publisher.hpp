#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/config/connections.hpp"
#include "common/log.hpp"
#include "common/result.hpp"
#include "consumer/dead_letter/headers.hpp"

namespace sluice::consumer {

/// Writes dead letters: the record's key and value untouched, keyed as the original. An event counts
/// as handed over only after its own delivery report (acks=all). Blocking; called by workers, thread-safe.
class DeadLetterPublisher {
public:
    virtual ~DeadLetterPublisher() = default;
    /// Returns once the broker has it, or with an error after at most four seconds. After an error it may
    /// have been written all the same: a second try may write it twice.
    [[nodiscard]] virtual Result<void> publish(const Record& record, const DeathNotice& notice) = 0;
    [[nodiscard]] virtual const std::string& topic() const noexcept = 0;
};

/// `log` outlives it.
[[nodiscard]] std::unique_ptr<DeadLetterPublisher> kafka_dead_letters(const config::KafkaSettings& settings,
                                                                      Log& log);

}  // namespace sluice::consumer
