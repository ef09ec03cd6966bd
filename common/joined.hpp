#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sluice {

/// The texts of a range in order with `between` between them: each element, or what `text` makes of it.
template <class Range, class Text = std::identity>
[[nodiscard]] std::string joined(const Range& range, std::string_view between, Text text = {}) {
    std::string all;
    bool is_first = true;
    for (const auto& one : range) {
        if (!is_first) all += between;
        is_first = false;
        all += text(one);
    }
    return all;
}

}  // namespace sluice
