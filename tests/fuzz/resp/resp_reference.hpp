#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

struct RespReply {
    enum class Kind { nil, bulk, error, other };
    Kind kind = Kind::other;
    std::string text;
};

struct RespStream {
    std::vector<RespReply> replies;  ///< whole ones, in order
    bool foreign = false;            ///< then something that RESP2 does not have: no telling from there on
};

/// What RESP2 says of these bytes: every whole reply before the first that is wrong or cut off.
[[nodiscard]] RespStream read_resp(std::string_view bytes);

}  // namespace sluice::fuzz
