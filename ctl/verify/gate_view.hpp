#pragma once

#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "ctl/verify/request_file.hpp"

namespace sluice::ctl {

/// What the ingress's gate makes of a request that lies in a file.
struct GateView {
    int refused_with = 0;              ///< the gate's status; 0: it may go on to verification
    std::string why;                   ///< the gate's name for it
    std::vector<std::string> remarks;  ///< what a file made by hand leaves out: said, but not held against it
};

/// Pure. A missing Host or Content-Length, a length that does not fit the file, line ends of an editor
/// and another path than the source's are remarks, since they say nothing about the signature that the
/// file is checked for; everything else that the gate refuses is refused.
[[nodiscard]] GateView look_through_gate(const RequestFile& file, const webhook::Source& source);

}  // namespace sluice::ctl
