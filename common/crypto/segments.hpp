#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace sluice::crypto {

/// Hands segments to `take` in order, as if they were one string; short ones are joined, since a call to
/// OpenSSL costs more than a copy.
template <class Take>
void take_joined(std::span<const std::string_view> segments, Take take) {
    std::array<char, 256> joined;
    std::size_t used = 0;
    const auto take_what_waits = [&] {
        if (used > 0) take(std::string_view{joined.data(), used});
        used = 0;
    };
    for (const std::string_view segment : segments) {
        if (segment.size() > joined.size() - used) take_what_waits();
        if (segment.size() > joined.size())
            take(segment);
        else
            used += segment.copy(joined.data() + used, segment.size());
    }
    take_what_waits();
}

}  // namespace sluice::crypto
