#pragma once

#include <span>
#include <string>

#include "consumer/store/inbox/inbox.hpp"

namespace sluice::ctl {

/// The answer of `event show --applied`.
struct AppliedVerdict {
    enum class Kind {
        applied,
        open,  ///< it may come yet: not there, or waiting
        over,  ///< finished without its effects, or dead: it stays so unless an operator acts
    };
    Kind kind = Kind::open;
    std::string sentence;  ///< why not; empty when applied
};

/// `rows`: all that the inbox has under `id`. One that is not applied outweighs those that are. Pure.
[[nodiscard]] AppliedVerdict applied_verdict(const std::string& id, std::span<const store::InboxRow> rows);

}  // namespace sluice::ctl
