#pragma once

#include <string_view>

namespace sluice::verify {

/// How far a signature covers what is read out of a request.
enum class Trust {
    full,  ///< the whole body
    crc,   ///< the body through a CRC-32, which anybody can meet with another body
    none,  ///< less than the body: what it says is a hint to look at the object
};

/// As records and configurations say it.
[[nodiscard]] constexpr std::string_view name_of(Trust trust) noexcept {
    if (trust == Trust::crc) return "crc";
    return trust == Trust::none ? "none" : "full";
}

}  // namespace sluice::verify
