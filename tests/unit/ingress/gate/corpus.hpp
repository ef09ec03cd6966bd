#pragma once

#include <string>
#include <vector>

#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::gate {

/// One request that must never reach a parser, and the one refusal that it gets.
struct Case {
    std::string name;  ///< a test's name
    std::string bytes;
    Refusal refusal;
};

inline const std::string known_path = "/v1/webhooks/stripe-eu";

/// A head with the fields as they are given, for the known path.
[[nodiscard]] std::string request(const std::vector<std::string>& fields, const std::string& body = "hello",
                                  const std::string& request_line = "POST " + known_path + " HTTP/1.1");

/// The rows of reliability.md sections 4.1 and 4.3 that concern framing and heads, and their neighbours.
[[nodiscard]] std::vector<Case> framing_cases();
[[nodiscard]] std::vector<Case> head_cases();
[[nodiscard]] std::vector<Case> target_cases();
[[nodiscard]] std::vector<Case> all_cases();

/// Wrong chunked bodies, for a source that allows chunked ones. The bytes are the body's.
[[nodiscard]] std::vector<Case> chunk_cases();

}  // namespace sluice::gate
