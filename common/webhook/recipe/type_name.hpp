#pragma once

#include <string_view>

namespace sluice::webhook {

/// Whether `name` means this type of event: the type itself, or the beginning of types with a * at its end,
/// as in customer.subscription.*
[[nodiscard]] constexpr bool means_type(std::string_view name, std::string_view type) noexcept {
    if (!name.ends_with('*')) return name == type;
    name.remove_suffix(1);
    return type.starts_with(name);
}

}  // namespace sluice::webhook
