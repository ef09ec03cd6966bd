#pragma once

#include <string>

namespace sluice::verify {

/// How a body becomes the JSON that all pointers read. What decides is in the body: a signature seldom
/// covers the Content-Type.
struct BodyRule {
    enum class Kind {
        json,
        json_or_form,  ///< a body that begins with `field`= is a form, and that field holds the JSON
        form,          ///< every field a string
    };
    Kind kind = Kind::json;
    std::string field{};
    std::string charset{};  ///< of a form: the field that names it; UTF-8 where it is absent
};

}  // namespace sluice::verify
