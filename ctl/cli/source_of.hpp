#pragma once

#include <memory>
#include <string>

#include "common/webhook/recipe/source.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

/// The source of that name with its keys. Reads `sources` and `recipes` only; throws config::Refused,
/// or Stopped naming the sources there are, or saying that this one is polled: it has no requests.
[[nodiscard]] std::shared_ptr<const webhook::Source> source_of(const config::Document& document,
                                                               const std::string& name,
                                                               config::Problems& problems, Console& console);

/// The one source of that provider or recipe to which requests come; Stopped naming them when there are
/// several.
[[nodiscard]] std::shared_ptr<const webhook::Source> source_of_provider(const config::Document& document,
                                                                        const std::string& provider,
                                                                        config::Problems& problems,
                                                                        Console& console);

}  // namespace sluice::ctl
