#pragma once

#include <string_view>

namespace sluice::webhook {

/// How far a signature covers what is read out of a request.
enum class Trust {
    full,  ///< all of it
    type,  ///< the whole body, which does not say what kind of event it is
    crc,   ///< the body through a CRC-32, which anyone can match with another body
    none,  ///< less than the body: what it says is a hint to query the object
};

/// Whether only the provider can have written the body.
[[nodiscard]] constexpr bool covers_body(Trust trust) noexcept {
    return trust == Trust::full || trust == Trust::type;
}

/// As records and configurations say it.
[[nodiscard]] constexpr std::string_view name_of(Trust trust) noexcept {
    if (trust == Trust::type) return "type";
    if (trust == Trust::crc) return "crc";
    return trust == Trust::none ? "none" : "full";
}

}  // namespace sluice::webhook
