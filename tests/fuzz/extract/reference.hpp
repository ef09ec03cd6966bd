#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "tests/fuzz/extract/json_tree.hpp"

namespace sluice::fuzz {

/// What becomes of a pointer: a value, none, or a key on its way that stands twice.
enum class Absent { missing, twin };
using Found = std::expected<const Json*, Absent>;
[[nodiscard]] Found at(const Json& root, std::string_view pointer);

/// The facts of a Stripe event, read as common/webhook/recipes/stripe.yaml says.
struct Facts {
    std::string id;
    std::string type;
    std::string object;
    bool livemode = true;
    std::optional<WallTime> occurred_at;
};

/// Nothing where the body must be refused.
[[nodiscard]] std::optional<Facts> facts_of(std::string_view body);

}  // namespace sluice::fuzz
