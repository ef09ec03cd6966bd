#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "command/config/hot.hpp"
#include "command/hot/account_rates.hpp"
#include "common/clock.hpp"

namespace sluice::command {

using AccountList = std::set<std::string, std::less<>>;

/// The accounts of a list's text: one a line, without the spaces around it. Lines that are empty or begin
/// with # are none. Pure.
[[nodiscard]] AccountList accounts_in(std::string_view text);

/// Those of the file; nothing: it cannot be read, or has more than 4 MiB.
[[nodiscard]] std::optional<AccountList> read_accounts(const std::string& file);

/// Which accounts of one command are hot: those of its list, and those whose rate is high in this process.
/// Thread-safe.
class HotAccounts {
public:
    explicit HotAccounts(const Hot& hot) : promotes_{hot.above > 0}, rates_{hot.above, hot.back_below} {}

    /// One more command of the account: whether it is hot.
    [[nodiscard]] bool count(std::string_view account, SteadyTime now);
    /// From now on these are listed, and no others.
    void list(AccountList accounts);
    /// How many are hot by their rate.
    [[nodiscard]] std::size_t promoted(SteadyTime now) const;
    [[nodiscard]] std::size_t listed() const;

private:
    const bool promotes_;
    mutable std::mutex mutex_;
    AccountRates rates_;
    AccountList listed_;
};

}  // namespace sluice::command
