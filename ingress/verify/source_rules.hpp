#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::verify {

/// A source and what is said of it in messages.
struct PlacedSource {
    std::shared_ptr<const Source> source;
    config::Place place;
};

/// What one source cannot know of the others: names and paths are unique; sources of one provider
/// and principal share duplicates, so they agree on recipe and order_by (digest and day are the
/// recipe's); shared key material is a warning.
void check_together(std::span<const PlacedSource> sources, config::Problems& problems);

}  // namespace sluice::verify
