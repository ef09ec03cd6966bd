#include "ctl/cli/source_of.hpp"

#include <algorithm>

#include "common/joined.hpp"

namespace sluice::ctl {

namespace {

std::string names_of(const webhook::SourceSet& sources) {
    return joined(sources, ", ", [](const auto& source) { return source->name; });
}

webhook::SourceSet all_sources(const config::Document& document, config::Problems& problems,
                               Console& console) {
    webhook::SourceSet sources = webhook::read_sources(document, problems);
    refuse_if_any(problems, console);
    return sources;
}

std::shared_ptr<const webhook::Source> unless_polled(std::shared_ptr<const webhook::Source> source) {
    if (!source->polled) return source;
    throw Stopped{Exit::usage, "source \"" + source->name +
                                   "\" is polled: no request comes to it, and it has no signature"};
}

}  // namespace

std::shared_ptr<const webhook::Source> source_of(const config::Document& document, const std::string& name,
                                                 config::Problems& problems, Console& console) {
    const webhook::SourceSet sources = all_sources(document, problems, console);
    const auto found = std::ranges::find(sources, name, [](const auto& source) { return source->name; });
    if (found != sources.end()) return unless_polled(*found);
    throw Stopped{Exit::usage, "there is no source \"" + name + "\"; the sources are: " + names_of(sources)};
}

std::shared_ptr<const webhook::Source> source_of_provider(const config::Document& document,
                                                          const std::string& provider,
                                                          config::Problems& problems, Console& console) {
    webhook::SourceSet sources = all_sources(document, problems, console);
    const std::string all = names_of(sources);
    std::erase_if(sources, [&](const auto& source) {
        return source->provider != provider && source->recipe != provider;
    });
    if (std::ranges::any_of(sources, [](const auto& source) { return !source->polled; }))
        std::erase_if(sources, [](const auto& source) { return source->polled; });
    if (sources.size() == 1) return unless_polled(sources.front());
    throw Stopped{Exit::usage,
                  sources.empty() ? "no source has the provider \"" + provider + "\"; the sources are: " + all
                                  : "several sources have the provider \"" + provider +
                                        "\": name one of them with --source: " + names_of(sources)};
}

}  // namespace sluice::ctl
