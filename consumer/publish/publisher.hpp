#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/result.hpp"

namespace sluice::consumer {

/// A record to be produced. The views live until `publish` returns.
struct Outgoing {
    std::string topic;
    std::string_view key;                                      ///< without data: null
    std::optional<std::string_view> value;                     ///< nullopt: null, as wakeups have it
    std::vector<std::pair<std::string, std::string>> headers;  ///< values are bytes
};

/// Writes dead letters, wakeups and all else that the consumer owes Kafka. A record counts as handed over
/// only after its own delivery report (acks=all). Blocking; called by workers, thread-safe.
class Publisher {
public:
    virtual ~Publisher() = default;
    /// Returns once the broker has it, or with an error after at most four seconds. After an error it may
    /// have been written all the same: another attempt may write it twice.
    [[nodiscard]] virtual Result<void> publish(const Outgoing& record) = 0;
    /// All at once, each with its own answer. Records of one key may swap places: give one of each.
    [[nodiscard]] virtual std::vector<Result<void>> publish_all(std::span<const Outgoing> records) {
        std::vector<Result<void>> answers;
        for (const Outgoing& record : records) answers.push_back(publish(record));
        return answers;
    }
};

}  // namespace sluice::consumer
