#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace sluice::webhook {

/// One ready answer of a provider: what it wants to see. Headers beyond Content-Type and
/// Retry-After are not needed by any provider.
struct Answer {
    int status = 200;
    std::string content_type;  ///< empty with an empty body
    std::string body;
};

/// What the recipe says to answer; a table, chosen by outcome. Statuses of the gate are not here:
/// they come before a source is known.
struct AnswerTable {
    Answer success;        ///< durable in Kafka; also a duplicate, and authentic but unreadable
    Answer bad_signature;  ///< one wording for every Check
    Answer too_large;
    Answer overloaded;  ///< with Retry-After
    Answer limited;     ///< the client, or what the source counts by, is over its limit; with Retry-After
    /// The provider disables an endpoint whose requests have all failed for so long. nullopt: never, or it is
    /// not known.
    std::optional<std::chrono::seconds> disabled_after{};
    bool can_be_limited = true;  ///< false: the provider does not send again what is refused
};

}  // namespace sluice::webhook
