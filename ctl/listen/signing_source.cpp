#include "ctl/listen/signing_source.hpp"

#include "ctl/cli/json.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

std::shared_ptr<const webhook::Source> signing_source(const std::vector<std::string>& files,
                                                      Console& console) {
    if (files.empty()) return nullptr;
    Json keys = Json::array();
    for (const auto& file : files)
        keys.push_back({{"id", "secret-" + std::to_string(keys.size() + 1)}, {"value", {{"file", file}}}});
    const Json source{
        {"name", "listen"}, {"recipe", "standard-webhooks"}, {"principal", "listen"}, {"keys", keys}};
    config::Problems problems;
    // JSON is YAML: a path needs no other quotes.
    const auto document =
        config::Document::from_text(to_line({{"sources", Json::array({source})}}), "--secret-file", problems);
    auto sources = webhook::read_sources(document, problems);
    refuse_if_any(problems, console);
    return sources.at(0);
}

}  // namespace sluice::ctl
