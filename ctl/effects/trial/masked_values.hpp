#pragma once

#include <map>
#include <string>

#include "ctl/cli/json.hpp"
#include "ctl/effects/trial/trial.hpp"

namespace sluice::ctl {

/// The values of one effect's run as people may see them: masked as bodies are (common/redact/payload.hpp),
/// by what they are, and by the name that they have in `let` or in the body. Such a value is hidden in every
/// statement that it was bound to. Pure.
class MaskedValues {
public:
    explicit MaskedValues(const TrialEffect& effect);

    [[nodiscard]] Json let() const { return let_; }
    /// Bound to a statement, or found by one.
    [[nodiscard]] Json value(const Json& value) const;

private:
    Json let_ = Json::object();
    std::map<std::string, Json> hidden_;  // by the value, as JSON writes it
};

}  // namespace sluice::ctl
