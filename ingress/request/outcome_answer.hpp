#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/webhook/gate/raw_response.hpp"
#include "common/webhook/recipe/answer.hpp"
#include "ingress/publish/publisher.hpp"

namespace sluice::ingress {

using gate::After;

/// Every way a request ends that a source was found for. One log line, one counter and one answer each
/// (outcome_answer.cpp holds the table). Success is answered for the first three only: the broker has the
/// event, or a durable marker proves that it had it. Their names are webhook::decisions.
enum class Outcome : std::uint8_t {
    accepted,
    duplicate,
    quarantined,
    refused_signature,
    limited,              ///< its client, source or account is over a limit
    too_large,            ///< the body is above the source's limit
    too_large_for_topic,  ///< the topic does not take records of this size
    not_acked,            ///< no delivery report in time
    shed,                 ///< what is queued could not drain in time
    unavailable,          ///< no broker, no topic, no producer
};
inline constexpr std::size_t outcome_count = 10;

[[nodiscard]] std::string_view name_of(Outcome outcome) noexcept;  ///< closed set: log, metrics
[[nodiscard]] const webhook::Answer& answer_of(const webhook::AnswerTable& answers, Outcome outcome) noexcept;
[[nodiscard]] Outcome outcome_of(publish::Published published) noexcept;

/// A source's answers as bytes, made when the source is loaded.
class PreparedAnswers {
public:
    /// `limited_for`: the `Retry-After` of `limited`.
    PreparedAnswers(const webhook::AnswerTable& answers, std::chrono::seconds limited_for);
    [[nodiscard]] std::string_view of(Outcome outcome, After after) const noexcept;

private:
    std::array<std::array<std::string, 2>, outcome_count> bytes_;
};

}  // namespace sluice::ingress
