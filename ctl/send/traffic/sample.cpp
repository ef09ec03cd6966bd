#include "ctl/send/traffic/sample.hpp"

#include <algorithm>
#include <map>

#include "ctl/cli/embedded.hpp"

namespace sluice::ctl {
namespace {

EventSample sample_from(std::string_view content) {
    Json file = parse_json(content).value();  // ours: a unit test reads each
    EventSample sample;
    sample.type = file.at("type");
    sample.headers = file.value("headers", Json::object());
    sample.query = file.value("query", Json::object());
    sample.is_form = file.contains("form");
    sample.body = std::move(file.at(sample.is_form ? "form" : "body"));
    return sample;
}

std::map<std::string, std::vector<EventSample>, std::less<>> read_all() {
    std::map<std::string, std::vector<EventSample>, std::less<>> all;
    for (const auto& file : sample_files()) all[std::string{file.name}].push_back(sample_from(file.content));
    return all;
}

}  // namespace

const std::vector<EventSample>& samples_of(std::string_view recipe) {
    static const auto all = read_all();
    static const std::vector<EventSample> none;
    const auto found = all.find(recipe);
    return found == all.end() ? none : found->second;
}

bool has_sample(std::string_view recipe, std::string_view type) {
    return std::ranges::contains(samples_of(recipe), type, &EventSample::type);
}

}  // namespace sluice::ctl
