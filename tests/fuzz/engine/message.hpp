#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::fuzz {

/// Every header that takes part in some recipe, and which of its recipe's it is.
using Places = std::vector<std::pair<std::string, std::size_t>>;
inline constexpr std::size_t no_place = static_cast<std::size_t>(-1);

/// The input: views into it.
struct Message {
    struct Header {
        std::size_t place;  ///< where `places` has its name
        std::string_view name;
        std::string_view value;
    };
    WallTime now;
    std::size_t variant = 0;  ///< which of a recipe's sources
    std::string_view target;
    std::vector<Header> headers;
    std::string_view body;

    /// "SECONDS VARIANT TARGET", header lines, an empty line, a body; what is not there is empty.
    void read(std::string_view input, const Places& places);
};

}  // namespace sluice::fuzz
