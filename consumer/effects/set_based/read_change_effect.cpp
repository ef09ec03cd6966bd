#include "consumer/effects/set_based/change_effect.hpp"

// Reads the configuration's side of consumer/effects/set_based/change_effect.hpp.
namespace sluice::effects {

std::unique_ptr<const Effect> read_change_effect(Heading heading, config::Section& section) {
    const auto let = section.value("let");
    auto parameters = let ? read_parameters(*let) : std::vector<Parameter>{};
    const auto so_far = let ? let->problems().count() : 0;
    NameScope names{parameters, std::vector<bool>(parameters.size()), heading.when};
    auto changes = read_changes(section, names);
    // What a refused change may have used is not called unused.
    const bool all_read = let && let->problems().count() == so_far;
    for (std::size_t i = 0; all_read && i < names.used.size(); ++i) {
        if (names.used[i]) continue;
        let->problems().add(parameters[i].place, "nothing uses :" + parameters[i].name);
    }
    return std::make_unique<ChangeEffect>(std::move(heading), std::move(parameters), std::move(changes));
}

}  // namespace sluice::effects
