#include "consumer/store/driver/statement_cache.hpp"

#include <utility>

namespace sluice::store {

std::expected<Statement*, DriverError> StatementCache::get(sql::Connection& session, std::string_view text) {
    if (const auto found = by_text_.find(text); found != by_text_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, found->second);
        return &found->second->statement;
    }
    auto prepared = Statement::prepare(session, text);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    if (by_use_.size() >= limit_) {
        by_text_.erase(by_use_.back().text);
        by_use_.pop_back();
    }
    by_use_.push_front({std::string{text}, std::move(*prepared)});
    by_text_.emplace(by_use_.front().text, by_use_.begin());
    return &by_use_.front().statement;
}

void StatementCache::drop(std::string_view text) noexcept {
    const auto found = by_text_.find(text);
    if (found == by_text_.end()) return;
    const auto kept = found->second;
    by_text_.erase(found);
    by_use_.erase(kept);
}

void StatementCache::clear() noexcept {
    by_text_.clear();
    by_use_.clear();
}

}  // namespace sluice::store
