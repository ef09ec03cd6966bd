#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/recipe.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/source_file/read_settings.hpp"

namespace sluice::webhook {

/// A source's own settings that end up in its program.
struct ProgramSettings {
    std::vector<Key> keys;
    std::optional<TimeWindow> window;  ///< of the timestamp; nothing: any
    std::optional<std::vector<ObjectField>> order_by;
    SettingValues with;  ///< every setting of the recipe
};

/// Names become slots, settings become text. The recipe has passed check_safety.
[[nodiscard]] decltype(Source::program) compile(const Recipe& recipe, ProgramSettings settings);

}  // namespace sluice::webhook
