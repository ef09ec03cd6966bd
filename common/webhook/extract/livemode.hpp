#pragma once

#include <system_error>

#include "common/error.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/extraction.hpp"

namespace sluice::webhook {

/// A fact of the wrong type means a body that the recipe cannot read.
[[nodiscard]] inline std::error_code as_unreadable(std::error_code error) {
    return error == errc::wrong_type ? make_error_code(errc::unreadable_body) : error;
}

/// Whether the event is about real money. errc::unreadable_body, errc::duplicate_key.
[[nodiscard]] Result<bool> livemode_of(const JsonView& view, const Extraction& extraction);

}  // namespace sluice::webhook
