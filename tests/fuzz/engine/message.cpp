#include "tests/fuzz/engine/message.hpp"

#include <algorithm>
#include <charconv>

#include "common/webhook/http/header_lookup.hpp"

namespace sluice::fuzz {
namespace {

constexpr std::int64_t usual_now = 1'795'258'000;
constexpr std::int64_t latest_now = 9'999'999'999;

/// Up to the separator, which is taken as well.
std::string_view taken(std::string_view& text, std::string_view separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + separator.size());
    return part;
}

std::int64_t number_of(std::string_view text, std::int64_t otherwise) {
    std::int64_t number = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number >= 0 && number <= latest_now ? number : otherwise;
}

std::size_t place_of(const Places& places, std::string_view name) {
    const auto is_it = [&](const auto& place) { return webhook::is_same_name(place.first, name); };
    const auto found = std::ranges::find_if(places, is_it);
    return found == places.end() ? no_place : static_cast<std::size_t>(found - places.begin());
}

}  // namespace

void Message::read(std::string_view input, const Places& places) {
    std::string_view line = taken(input, "\n");
    now = WallTime{std::chrono::seconds{number_of(taken(line, " "), usual_now)}};
    variant = static_cast<std::size_t>(number_of(taken(line, " "), 0));
    target = line;
    headers.clear();
    for (line = taken(input, "\n"); !line.empty(); line = taken(input, "\n")) {
        const std::string_view name = taken(line, ": ");
        headers.push_back({place_of(places, name), name, line});
    }
    body = input;
}

}  // namespace sluice::fuzz
