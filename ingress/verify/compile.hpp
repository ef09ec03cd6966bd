#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingress/verify/program.hpp"
#include "ingress/verify/recipe.hpp"
#include "ingress/verify/setting_values.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::verify {

/// A source's own settings that end up in its program.
struct ProgramSettings {
    std::vector<Key> keys;
    std::optional<TimeWindow> window;  ///< of the timestamp; nothing: any
    std::optional<std::vector<ObjectField>> order_by;
    SettingValues with;  ///< every setting of the recipe
};

/// Names become slots, settings become text. The recipe has passed check_safety.
[[nodiscard]] decltype(Source::program) compile(const Recipe& recipe, ProgramSettings settings);

}  // namespace sluice::verify
