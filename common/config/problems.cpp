#include "common/config/problems.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

// A section that two readers look at says the same thing twice; people should read it once.
void append_once(std::vector<std::string>& lines, std::string line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
}

}  // namespace

std::string Place::text() const {
    return line > 0 ? file + ":" + std::to_string(line) : file;
}

void Problems::add(const Place& place, std::string sentence) {
    append_once(errors_, place.text() + ": " + std::move(sentence));
}

void Problems::warn(const Place& place, std::string sentence) {
    append_once(warnings_, place.text() + ": " + std::move(sentence));
}

std::string Problems::report() const {
    std::string text;
    for (const auto& error : errors_) {
        if (!text.empty()) text += '\n';
        text += error;
    }
    return text;
}

}  // namespace sluice::config
