#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/config/answers.hpp"
#include "command/config/bounds.hpp"
#include "command/config/call_definition.hpp"
#include "command/config/hot.hpp"
#include "common/config/section.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/account_limit.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::command {

/// One entry of `commands:`, compiled. Immutable.
struct Definition {
    std::string name;                               ///< 1 to 64 of a-z, 0-9, - and _
    std::vector<webhook::Pointer> key;              ///< fields of the body; empty: a header of the request
    std::vector<webhook::Pointer> fingerprint;      ///< fields of the body; empty: all of it
    Milliseconds wait{200};                         ///< for the response; then it is told as in progress
    std::chrono::seconds keep{};                    ///< how long the first response is kept
    std::optional<webhook::AccountLimit> limit;     ///< of requests; nullopt: none
    std::vector<Bounded> parameters;                ///< the first of the effect's `let`
    std::unique_ptr<const effects::Effect> effect;  ///< nullptr: of a call
    Answers answers;
    std::unique_ptr<const CallDefinition> call{};  ///< nullptr: the effect is executed here
    std::optional<Hot> hot{};                      ///< accounts of it may go through Kafka
};

/// What is wrong goes to the section's problems; nullptr where neither effect nor call could be read.
[[nodiscard]] std::unique_ptr<const Definition> read_definition(config::Section section,
                                                                const destination::Names& destinations);

}  // namespace sluice::command
