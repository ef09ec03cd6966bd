#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consumer/command/command.hpp"

namespace sluice::ctl {

/// A command that another operator has signed, as those bytes, and what this one says of it
/// (consumer/command/signature.hpp).
struct Approved {
    std::string value;
    std::string proposal;  ///< the other one's signature
    std::string approval;
};

/// A command of a run that may be sent.
struct Asked {
    command::Command command;
    std::string name;                        ///< of what it is about, for people: "entry 4711"
    std::optional<std::string> objection{};  ///< why it cannot be asked for, as a clause
    std::optional<Approved> approved{};
};

/// The commands of a run, page by page, so that a hundred thousand cost little memory. Throws Stopped.
class CommandPages {
public:
    virtual ~CommandPages() = default;
    /// 500 at most; empty: that was all.
    [[nodiscard]] virtual std::vector<Asked> next_page() = 0;
    /// After everything was answered: what has come up since and is part of the run; empty: nothing.
    [[nodiscard]] virtual std::vector<Asked> come_up() { return {}; }
};

}  // namespace sluice::ctl
