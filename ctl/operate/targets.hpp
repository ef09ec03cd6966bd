#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"

namespace sluice::ctl {

/// The entries that an order is about: named one by one, or a filter over what is open. A filter is read page
/// by page, so that a hundred thousand cost no memory. All functions throw Stopped.
class Targets {
public:
    Targets(store::Connection& connection, const config::MysqlSettings& settings, store::LetterFilter filter);
    /// By entry's or event's id; of an event what is open. Stopped(no) for a name that names nothing.
    Targets(store::Connection& connection, const config::MysqlSettings& settings,
            const std::vector<std::string>& names);

    [[nodiscard]] std::vector<store::LetterCount> counts() const;
    [[nodiscard]] std::vector<store::LetterRow> sample() const;
    /// The next ones in the order of their ids; empty: that was all.
    [[nodiscard]] std::vector<store::LetterRow> next_page();

private:
    [[nodiscard]] std::vector<store::LetterRow> page(std::int64_t limit, std::int64_t after) const;

    store::Connection& connection_;
    const config::MysqlSettings& settings_;
    store::LetterFilter filter_;
    std::vector<store::LetterRow> named_;  // by id
    bool is_named_ = false;
    std::int64_t last_ = 0;
};

}  // namespace sluice::ctl
