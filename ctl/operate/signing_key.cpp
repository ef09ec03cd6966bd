#include "ctl/operate/signing_key.hpp"

#include <algorithm>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

const command::OperatorSettings::Key* signing_key(const command::OperatorSettings& operators,
                                                  const std::string& operator_name) {
    using Key = command::OperatorSettings::Key;
    const auto& keys = operators.keys;
    if (keys.empty()) return nullptr;
    for (const std::string& owner : {operator_name, std::string{}}) {
        const auto key = std::ranges::find(keys, owner, &Key::operator_name);
        if (key != keys.end()) return &*key;
    }
    throw Stopped{Exit::usage, "operators.keys has no key of " + operator_name +
                                   ": add one with `operator: " + operator_name +
                                   "`, or one without `operator`"};
}

}  // namespace sluice::ctl
