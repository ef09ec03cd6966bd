#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// One kind of event as its provider sends it: a file of ctl/samples/<recipe>, with places to fill in
/// (body_template.hpp).
struct EventSample {
    std::string type;  ///< as the recipe reads it
    Json headers;      ///< those that carry facts; what only the signature needs is made when it is signed
    Json query;        ///< parameters of the target
    Json body;         ///< JSON, or the fields of a form: texts, or {"base64": [lines]}
    bool is_form = false;
};

/// Of a built-in recipe; none for a recipe of a user's own.
[[nodiscard]] const std::vector<EventSample>& samples_of(std::string_view recipe);
[[nodiscard]] bool has_sample(std::string_view recipe, std::string_view type);

}  // namespace sluice::ctl
