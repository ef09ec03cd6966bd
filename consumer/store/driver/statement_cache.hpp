#pragma once

#include <cstddef>
#include <expected>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "consumer/store/driver/statement.hpp"

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

/// The prepared statements of one session by their text; the least recently used goes first.
class StatementCache {
public:
    explicit StatementCache(std::size_t limit) : limit_{limit} {}

    /// The pointer lives until the next call.
    [[nodiscard]] std::expected<Statement*, DriverError> get(sql::Connection& session, std::string_view text);
    /// Closes it: the next `get` prepares it again.
    void drop(std::string_view text) noexcept;
    void clear() noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return by_use_.size(); }

private:
    struct Kept {
        std::string text;
        Statement statement;
    };
    std::size_t limit_;
    std::list<Kept> by_use_;  // most recent first
    std::unordered_map<std::string_view, std::list<Kept>::iterator> by_text_;
};

}  // namespace sluice::store
