#include "ctl/operate/signing_key.hpp"

#include <algorithm>

#include "ctl/exit.hpp"

namespace sluice::ctl {

const command::OperatorKey* signing_key(const std::vector<command::OperatorKey>& keys,
                                        const std::string& operator_name, Console& console) {
    if (keys.empty()) {
        console.err << "warning: operators.keys names no key, so nothing is signed: whoever may write to the "
                       "command topic can do the same, and a retry role that has keys refuses it\n";
        return nullptr;
    }
    for (const std::string& owner : {operator_name, std::string{}}) {
        const auto key = std::ranges::find(keys, owner, &command::OperatorKey::operator_name);
        if (key != keys.end()) return &*key;
    }
    throw Stopped{Exit::usage, "no key of operators.keys is that of " + operator_name +
                                   ": name one with `operator: " + operator_name +
                                   "`, or one without `operator`"};
}

}  // namespace sluice::ctl
