#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// Entries of the DLQ in the forms that commands answer with. Pure. What errors say is masked.

[[nodiscard]] Json to_json(const store::DeadLetterRow& dead_letter);
[[nodiscard]] Json to_json(const store::DeadLetterCount& count);

/// Of kind message: the number that `sluicectl outbox` knows it by, and its destination.
[[nodiscard]] std::string message_text(const store::DeadLetterRow& dead_letter);
/// A row per entry, the whole reason below it; "" for none.
[[nodiscard]] std::string dead_letters_table(const std::vector<store::DeadLetterRow>& dead_letters,
                                             WallTime now);
/// A row per error class, source and kind.
[[nodiscard]] std::string counts_table(const std::vector<store::DeadLetterCount>& counts, WallTime now);
[[nodiscard]] std::int64_t total_of(const std::vector<store::DeadLetterCount>& counts);

/// "open", or how it was closed.
[[nodiscard]] std::string course_text(const store::DeadLetterRow& dead_letter);

}  // namespace sluice::ctl
