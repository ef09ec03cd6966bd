#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/schema/source_keys.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// A path as MySQL has it and as the file has it.
struct KeyLine {
    enum class State { as_recorded, fresh, changed, not_in_file };
    State state = State::as_recorded;
    record::SourceKeys keys;  ///< the file's, or the recorded ones of a path that it does not have
    std::optional<WallTime> recorded_at{};
    std::string operator_name{};
    std::string difference{};  ///< of what is changed
};

/// Each path of the file in its order, then those that it does not have. Pure.
[[nodiscard]] std::vector<KeyLine> compare_keys(const std::vector<store::RecordedKeys>& recorded,
                                                const std::vector<record::SourceKeys>& configured);

/// Whether an operator has to accept something.
[[nodiscard]] bool has_changes(const std::vector<KeyLine>& lines);

[[nodiscard]] Json to_json(const std::vector<KeyLine>& lines);
[[nodiscard]] std::string to_people(const std::vector<KeyLine>& lines);

}  // namespace sluice::ctl
