#pragma once

#include <string_view>

#include "consumer/record/record.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// The key that an object's records carry: empty for a record without one, which is its own object.
[[nodiscard]] std::string_view ordering_key_of(std::string_view object_key) noexcept;

/// An event as the main role had polled it, from its row in the lane. The item owns the record. Headers that
/// are not ours leave it undecoded.
[[nodiscard]] Item stored_event(store::StoredRecord record, std::string_view object_key);

}  // namespace sluice::consumer
