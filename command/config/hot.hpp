#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/config/answers.hpp"
#include "command/config/bounds.hpp"
#include "common/clock.hpp"
#include "common/config/section.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::command {

/// `hot:` of a command: which accounts are hot, and what their callers are told. Immutable.
struct Hot {
    std::optional<webhook::Pointer> account{};  ///< of the body: a text or a whole number. Always there
    std::string list{};                         ///< a file of accounts that are hot; empty: none is listed
    double above = 0;                           ///< commands a second of an account; 0: none is promoted
    double back_below = 0;                      ///< commands a second, less than `above`
    Milliseconds delay{0};                      ///< how long a command waits before it may be booked
    std::optional<Answers::Template> answer{};  ///< of what is accepted; none: a plain 202
};

/// {account, list, above, back_below, delay, answer}. `parameters`: those that `account` may name. Problems
/// name file and line.
[[nodiscard]] Hot read_hot(config::Section section, const std::vector<Bounded>& parameters,
                           effects::NameScope& names);

/// "50/s", "600/m" or "1000/h" as commands a second; nothing for any other text. Pure.
[[nodiscard]] std::optional<double> rate_in(std::string_view text);

/// The account that a body names: its text, or its whole number in digits. Nothing: there is none.
[[nodiscard]] std::optional<std::string> account_of(const Hot& hot, const webhook::JsonView& body);

}  // namespace sluice::command
