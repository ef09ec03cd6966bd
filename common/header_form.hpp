#pragma once

#include <string_view>

namespace sluice {

/// How a record says what its event is (proto/README.md). Readers take either.
enum class HeaderForm {
    cloudevents,  ///< one header for each fact, as CloudEvents has them and as any tool shows them
    packed,       ///< one header for all of them
};

[[nodiscard]] constexpr std::string_view name_of(HeaderForm form) noexcept {
    return form == HeaderForm::packed ? "packed" : "cloudevents";
}

}  // namespace sluice
