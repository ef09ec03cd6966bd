#pragma once

#include <string_view>

namespace sluice::dedup {

/// What is known of an event before it is published. Only `duplicate` spares the publication.
enum class Claim {
    fresh,        ///< no marker
    duplicate,    ///< an acknowledged copy with the same content exists
    conflict,     ///< an acknowledged copy exists under this id, with other content
    busy,         ///< another request has been publishing it and has not confirmed in time
    unavailable,  ///< no trustworthy reply in time
};
[[nodiscard]] std::string_view name_of(Claim claim) noexcept;  ///< closed set, a metric label

}  // namespace sluice::dedup
