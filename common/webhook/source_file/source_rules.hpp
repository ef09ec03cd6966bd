#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// A source and what is said of it in messages.
struct PlacedSource {
    std::shared_ptr<const Source> source;
    config::Place place;
};

/// What one source cannot know of the others: names and paths are unique; sources of one provider
/// and principal share duplicates and lanes, so they have one recipe (digest and day are its) and
/// make keys alike (key_derivation.hpp), whichever setting they are made of; shared key material is a
/// warning.
void check_together(std::span<const PlacedSource> sources, config::Problems& problems);

}  // namespace sluice::webhook
