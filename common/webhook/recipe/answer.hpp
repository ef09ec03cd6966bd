#pragma once

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
};

}  // namespace sluice::webhook
