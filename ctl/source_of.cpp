#include "ctl/source_of.hpp"

#include <algorithm>

namespace sluice::ctl {

std::shared_ptr<const verify::Source> source_of(const config::Document& document, const std::string& name,
                                                config::Problems& problems, Console& console) {
    const verify::SourceSet sources = verify::read_sources(document, problems);
    refuse_if_any(problems, console);
    const auto found = std::ranges::find(sources, name, [](const auto& source) { return source->name; });
    if (found != sources.end()) return *found;
    std::string names;
    for (const auto& source : sources) names += (names.empty() ? "" : ", ") + source->name;
    throw Stopped{Exit::usage, "there is no source \"" + name + "\"; there is: " + names};
}

}  // namespace sluice::ctl
