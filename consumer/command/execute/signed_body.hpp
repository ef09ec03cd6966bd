#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/record/event_record.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/command/execute/originals.hpp"

namespace sluice::consumer {

/// The body that a signature was made over, for a record with this value: the value; for an item with its own
/// signature, a delivery of it alone; for one that was signed with others, the whole delivery, out of
/// `originals`. Nothing where that is not at hand, or the recipe now divides deliveries differently.
[[nodiscard]] std::optional<std::string> signed_body(const webhook::Program& program,
                                                     const record::EventHeaders& event,
                                                     std::string_view value, Originals* originals);

/// Whether the item of that number in `delivery` is `value`, byte for byte.
[[nodiscard]] bool is_item_of(const webhook::ItemsRule& rule, std::string_view delivery, std::size_t number,
                              std::string_view value);

}  // namespace sluice::consumer
