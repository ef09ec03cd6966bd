#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/record/record.hpp"

namespace sluice::ctl {

/// An event as its record has it, or would have it: what a trial runs effects for.
struct TrialEvent {
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string key{};  ///< the record's
    std::string body{};
    std::string from{};      ///< "the sample", a file's name, "the lane", "the archive", "Kafka"
    bool is_edited = false;  ///< the body is an operator's
    bool is_stored = false;  ///< the ingress took it in; else nobody has verified a signature
    std::string stands{};    ///< what the inbox says of it, a sentence; empty: nothing
};

/// The same as a worker of the consumer has it. Views are of `event`. nullopt: it lacks headers that every
/// event has.
[[nodiscard]] std::optional<consumer::Item> item_of(const TrialEvent& event);

}  // namespace sluice::ctl
