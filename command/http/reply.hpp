#pragma once

#include <string>
#include <string_view>

namespace sluice::command {

/// What is written back. Nothing in it is from the request, but for the key in a Location, which is encoded.
struct Reply {
    int status = 200;
    std::string content_type{};  ///< empty with an empty body
    std::string body{};
    std::string fields{};  ///< complete lines
    // What is seen of it in logs, metrics and traces; closed sets.
    std::string_view decision{};
    std::string_view found{};  ///< of a look-up: the state of the key
};

}  // namespace sluice::command
