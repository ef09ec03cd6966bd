#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/effects/trial/trial_event.hpp"

namespace sluice::ctl {

/// What `sluicectl send` would send: a sample, or a body of one's own.
struct GivenEvent {
    std::string source{};                 ///< its name; empty: the only one that it can be of
    std::string type{};                   ///< of the sample; with a body: the one whose headers it has
    std::optional<std::string> body{};    ///< instead of the sample's
    std::string file{};                   ///< that has the body, for people
    std::vector<std::string> edits{};     ///< --set
    std::vector<std::string> headers{};   ///< --header
    std::optional<std::uint64_t> seed{};  ///< of the sample; nullopt: by chance
};

/// The events of that delivery as the ingress would read them at `now`; nobody verifies its signature.
/// Throws Stopped: no such source or sample, or a body that the ingress would put into quarantine.
[[nodiscard]] std::vector<TrialEvent> events_of(const GivenEvent& given, const webhook::SourceSet& sources,
                                                WallTime now);

/// The pointers of edits that the sample or body has no place for: maybe misspelt. Throws as events_of does.
[[nodiscard]] std::vector<std::string> added_places(const GivenEvent& given,
                                                    const webhook::SourceSet& sources);

}  // namespace sluice::ctl
