#include "command/hot/hot_accounts.hpp"

#include <utility>

#include "common/config/whole_file.hpp"

namespace sluice::command {
namespace {

constexpr std::size_t longest_list = 4UL * 1024 * 1024;
constexpr std::string_view spaces = " \t\r";

std::string_view trimmed(std::string_view line) {
    const auto begin = line.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(spaces) - begin + 1);
}

}  // namespace

AccountList accounts_in(std::string_view text) {
    AccountList accounts;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto account = trimmed(text.substr(0, end));
        if (!account.empty() && !account.starts_with('#')) accounts.emplace(account);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return accounts;
}

std::optional<AccountList> read_accounts(const std::string& file) {
    const auto text = config::read_whole_file(file, longest_list);
    return text ? std::optional{accounts_in(*text)} : std::nullopt;
}

bool HotAccounts::count(std::string_view account, SteadyTime now) {
    const std::lock_guard lock{mutex_};
    const bool is_busy = promotes_ && rates_.count(account, now);
    return is_busy || listed_.contains(account);
}

void HotAccounts::list(AccountList accounts) {
    const std::lock_guard lock{mutex_};
    listed_ = std::move(accounts);
}

std::size_t HotAccounts::promoted(SteadyTime now) const {
    const std::lock_guard lock{mutex_};
    return rates_.hot(now);
}

std::size_t HotAccounts::listed() const {
    const std::lock_guard lock{mutex_};
    return listed_.size();
}

}  // namespace sluice::command
