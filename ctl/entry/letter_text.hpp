#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// Entries of the DLQ in the forms that commands answer with. Pure. What errors say is masked.

[[nodiscard]] Json to_json(const store::LetterRow& letter);
[[nodiscard]] Json to_json(const store::LetterCount& count);

/// A row per entry; "" for none.
[[nodiscard]] std::string letters_table(const std::vector<store::LetterRow>& letters, WallTime now);
/// A row per error class, source and kind.
[[nodiscard]] std::string counts_table(const std::vector<store::LetterCount>& counts, WallTime now);
[[nodiscard]] std::int64_t total_of(const std::vector<store::LetterCount>& counts);

/// "open", or how it was closed.
[[nodiscard]] std::string course_text(const store::LetterRow& letter);

}  // namespace sluice::ctl
