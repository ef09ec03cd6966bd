#pragma once

#include <istream>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "poller/reconcile/books.hpp"
#include "poller/reconcile/report.hpp"

namespace sluice::poller {

/// Ids of events, one a line; blank lines, and an id that is there again, do not count. Throws
/// config::Refused for a line that is no id, and where there is none.
[[nodiscard]] std::vector<std::string> read_ids(std::istream& in);

/// Looks for each in the inbox: of this source's account, on any day and of either mode. What it found, also
/// where it was broken off. One thread's.
class IdComparison {
public:
    /// All outlive it.
    IdComparison(const webhook::Source& source, Books& books);

    [[nodiscard]] Report run(const std::vector<std::string>& ids, const std::stop_token& stop);

private:
    void compare(std::span<const std::string> ids);
    void missing(std::span<const std::string> ids);

    const webhook::Source& source_;
    Books& books_;
    Report report_;
};

}  // namespace sluice::poller
