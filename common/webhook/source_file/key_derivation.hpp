#pragma once

#include <string>
#include <vector>

#include "common/record/source_keys.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// What keys and days of events are made of, as lines `what: where`: id, events, mode, order, day. Not the
/// digest: where it changes, an event that comes again is a conflict, which is visible and applies nothing.
/// MySQL keeps the wording, for comparison: it changes only when keys do, and not from release to release
/// (tests/unit/common/webhook/source_file/key_derivation_test.cpp).
[[nodiscard]] std::string key_derivation(const Extraction& extraction);

/// The same as records say it (common/record/source_keys.hpp), for all alternatives of the id.
[[nodiscard]] std::string keys_stamp(const Extraction& extraction);

/// Of each source, in their order.
[[nodiscard]] std::vector<record::SourceKeys> keys_of(const SourceSet& sources);

}  // namespace sluice::webhook
