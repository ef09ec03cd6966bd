#pragma once

#include <string_view>

namespace sluice::webhook {

/// Why what is read out of an event may be believed: how far a signature covers it, or who was asked.
enum class Trust {
    full,  ///< all of it
    type,  ///< the whole body, which does not say what kind of event it is
    crc,   ///< the body through a CRC-32, which anyone can match with another body
    none,  ///< less than the body: what it says is a hint to query the object
    api,   ///< nothing is signed: it was read from the provider over verified TLS. Of sources, never of
           ///< recipes
};

/// Whether only the provider can have written the body.
[[nodiscard]] constexpr bool covers_body(Trust trust) noexcept {
    return trust == Trust::full || trust == Trust::type || trust == Trust::api;
}

/// As records and configurations say it.
[[nodiscard]] constexpr std::string_view name_of(Trust trust) noexcept {
    if (trust == Trust::type) return "type";
    if (trust == Trust::crc) return "crc";
    if (trust == Trust::api) return "api";
    return trust == Trust::none ? "none" : "full";
}

/// Whether effects act on it though their `when` does not name it
/// (docs/decisions/0105-api-needs-no-naming.md).
[[nodiscard]] constexpr bool acts_unnamed(Trust trust) noexcept {
    return trust == Trust::full || trust == Trust::api;
}

/// The same of what a record says, which is nothing at full trust.
[[nodiscard]] constexpr bool acts_unnamed(std::string_view in_record) noexcept {
    return in_record.empty() || in_record == name_of(Trust::api);
}

}  // namespace sluice::webhook
