#include "common/config/problems.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

// A section with two readers reports the same problem twice; people should read it once. Nor should they read
// every copy of one mistake that the aliases of a short file can make.
void list_once(std::vector<std::string>& lines, const Place& place, const std::string& sentence) {
    if (lines.size() > Problems::most_listed) return;
    auto line = place.text() + ": " + sentence;
    if (std::ranges::find(lines, line) != lines.end()) return;
    if (lines.size() == Problems::most_listed)
        line = place.file + ": and further problems that are not listed";
    lines.push_back(std::move(line));
}

}  // namespace

std::string Place::text() const {
    return line > 0 ? file + ":" + std::to_string(line) : file;
}

void Problems::add(const Place& place, const std::string& sentence) {
    ++count_;
    list_once(errors_, place, sentence);
}

void Problems::warn(const Place& place, const std::string& sentence) {
    list_once(warnings_, place, sentence);
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
