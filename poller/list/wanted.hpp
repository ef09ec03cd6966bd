#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::poller {

/// The events of a source that it wants.
struct Wanted {
    std::vector<std::string> types;  ///< names, or a prefix before `*`; none: all
    bool undelivered = false;        ///< only those of which the provider says that a webhook failed

    /// `type`: empty where an event's cannot be read. Such a one is wanted: it is for the quarantine.
    [[nodiscard]] bool takes(std::string_view type) const noexcept;
    /// Whether a provider that filters by at most `most` whole names can do it.
    [[nodiscard]] bool is_named(std::size_t most) const noexcept;
};

}  // namespace sluice::poller
