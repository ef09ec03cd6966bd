#pragma once

#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/config/section.hpp"
#include "consumer/effects/outcome/outcome.hpp"
#include "consumer/effects/value/sentence.hpp"

namespace sluice::effects {

/// What a rule of an effect says an event ends with. A park with a class is a case: nothing is broken, and a
/// person decides. A park without one is a failure of the effect.
struct Ending {
    Outcome outcome = Outcome::park;
    std::string case_class{};  ///< empty: no case
    Sentence reason{};         ///< for the person; empty: what happened itself
};

/// done, ignore, defer, retry, park or park:CLASS. Otherwise the sentence that says what is wrong. Pure.
[[nodiscard]] std::expected<Ending, std::string> ending_from(std::string_view text);

/// Such a text, or {park: CLASS, reason: …}, with one of the `allowed` outcomes. What is wrong is a problem
/// of the value. A class is noted in `names`.
[[nodiscard]] Ending read_ending(const config::Value& value, std::initializer_list<Outcome> allowed,
                                 NameScope& names);

/// 1 to 32 of a-z, 0-9 and _, the first a letter, and no class of dead letters (docs/dlq.md).
[[nodiscard]] bool is_case_class(std::string_view text) noexcept;

}  // namespace sluice::effects
