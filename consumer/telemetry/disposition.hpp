#pragma once

#include <string_view>

namespace sluice::consumer {

/// What became of an event. One counter and one log line each, of the same name.
enum class Disposition {
    done,
    ignored,            ///< no effect wanted it, or each said so
    duplicate,          ///< applied before
    duplicate_of_peer,  ///< applied before, through another endpoint of its account, with other content
    deferred,           ///< waits in its lane for something that is not there; others pass
    retried,            ///< failed; tried again in place, or waits in its lane
    parked,             ///< waits in its lane behind an earlier event of its object
    superseded,         ///< died, and a later event takes its place
    lacking,    ///< its source, or an effect that it is bound to, is not in our configuration; uncounted
    contended,  ///< lost a lock; held, uncounted
    dead,       ///< given up: an operator decides
    rule_case,  ///< "case": a rule of an effect leaves it to a person; nothing failed
};

[[nodiscard]] std::string_view name_of(Disposition disposition) noexcept;

}  // namespace sluice::consumer
