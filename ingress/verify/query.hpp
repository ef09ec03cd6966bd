#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::verify {

/// A parameter of the target's query as it stands: the value of the last one of that name.
struct QueryValue {
    std::size_t count = 0;
    std::string_view encoded{};
};

/// Names are compared as they stand: providers do not encode theirs.
[[nodiscard]] constexpr QueryValue find_in_query(std::string_view target, std::string_view name) noexcept {
    QueryValue found;
    const std::size_t mark = target.find('?');
    if (mark == std::string_view::npos) return found;
    std::string_view rest = target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(pair.size() < rest.size() ? pair.size() + 1 : rest.size());
        const std::size_t split = pair.find('=');
        if (pair.substr(0, split) != name) continue;
        ++found.count;
        found.encoded = split == std::string_view::npos ? pair.substr(pair.size()) : pair.substr(split + 1);
    }
    return found;
}

}  // namespace sluice::verify
