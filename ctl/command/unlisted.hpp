#pragma once

#include <string>

#include "common/config/section.hpp"

namespace sluice::ctl {

/// Which commands somebody asked for; empty: all.
struct AskedFor {
    std::string command;
    std::string caller;  ///< a principal
};

/// A sentence on each line about names and principals that the file does not list; empty where it has them,
/// or lists none. Pure.
[[nodiscard]] std::string what_is_unknown(const config::Document& document, const AskedFor& asked);

/// Why MySQL may have no row of what was asked for, by what the file lists: another name, another principal,
/// or records on Redis. A sentence on each line, or empty. Pure.
[[nodiscard]] std::string why_unlisted(const config::Document& document, const AskedFor& asked);

}  // namespace sluice::ctl
