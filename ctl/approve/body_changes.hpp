#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::ctl {

/// A value that differs between two JSON bodies.
struct BodyChange {
    std::string path;  ///< JSON pointer
    std::string from;  ///< masked, as everywhere; empty: it was not there
    std::string to;
};

/// Nothing where a body is no JSON or nested too deeply to compare; empty where they differ in no value: in
/// spaces, in order, or in how a number is written. Pure.
[[nodiscard]] std::optional<std::vector<BodyChange>> changes_between(std::string_view from,
                                                                     std::string_view to);

}  // namespace sluice::ctl
