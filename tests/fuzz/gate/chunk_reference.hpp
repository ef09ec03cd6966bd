#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::fuzz {

struct WholeBody {
    std::string content;
    std::size_t wire;  ///< bytes that it took
};

/// The chunked body that `wire` begins with, read all at once from RFC 9112 section 7.1 and the gate's
/// own limits: no extension, no trailer, sizes of 1 to 8 hex digits without leading zeros. Nothing when
/// it is not whole, or wrong.
[[nodiscard]] std::optional<WholeBody> read_chunks(std::string_view wire, std::size_t max_body,
                                                   std::size_t max_wire);

}  // namespace sluice::fuzz
