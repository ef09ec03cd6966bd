#include "common/config/settings/connections.hpp"

namespace sluice::config {

SpillSettings read_spill(const Document& document) {
    constexpr std::int64_t least = std::int64_t{64} << 20;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    auto spill = document.section("spill");
    SpillSettings settings;
    settings.path = spill.text("path", "");
    settings.max = spill.size("max", settings.max, least, most);
    static_cast<void>(spill.one_of("fsync", {"always"}, "always"));
    if (settings.path.empty() && document.value("spill"))
        spill.problem("spill.path is missing: a folder on a persistent volume");
    else if (!settings.path.empty() && !settings.path.starts_with('/'))
        spill.problem_at("path", "spill.path must begin with /: the working folder is not ours to choose");
    return settings;
}

}  // namespace sluice::config
