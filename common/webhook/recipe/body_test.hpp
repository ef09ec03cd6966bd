#pragma once

#include <string>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::webhook {

/// A condition on one place of a body.
struct BodyTest {
    Pointer at;
    /// The value is one of these: a string's text, or a number or boolean as it is written. Empty: `is_there`
    /// is the condition.
    std::vector<std::string> any_of{};
    bool is_there = true;  ///< neither missing nor null nor an empty string

    [[nodiscard]] bool operator==(const BodyTest& other) const {
        return at.text() == other.at.text() && any_of == other.any_of && is_there == other.is_there;
    }
};

/// errc::duplicate_key or unreadable_body where the body does not say. Lists and objects equal no text.
[[nodiscard]] Result<bool> holds(const BodyTest& test, const JsonView& body);

}  // namespace sluice::webhook
