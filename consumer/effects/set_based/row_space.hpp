#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/result.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/set_based/change_text.hpp"
#include "consumer/effects/set_based/exact.hpp"
#include "consumer/effects/set_based/newness.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// Which values of a key column are equal only when their spelling is.
enum class Exactness { none, numbers, text };

/// What the changes of a configuration want of the rows of one table by one key.
struct SpaceShape {
    KeyedTable table;
    std::vector<Exactness> exactness;                 ///< of each key column
    std::vector<std::pair<std::string, Range>> sums;  ///< columns that are added to
    std::vector<const Assignment*> guarded;           ///< their guards' values are constants
    bool has_checks = false;  ///< only the table can judge an amount: none may hide in a sum
    /// One of its upserts, which agree (upserts_agree.hpp): then nothing else is here.
    const Upsert* upsert = nullptr;
};

/// The locked rows of one shape in one transaction: what they held, and what was decided since. Several
/// spellings of a key share their row. One worker's.
class RowSpace {
public:
    using Columns = std::uint64_t;  ///< a set of the shape's columns, one bit each

    struct Sum {
        std::optional<Wide> steps;   ///< with all that was added; nullopt: not known here
        std::int64_t unwritten = 0;  ///< added since the last write
        bool is_listed = false;      ///< in `unwritten_sums`
        std::size_t turns = 0;       ///< how many amounts that is, where the table has checks
    };
    struct Amount {
        std::size_t row;
        std::int64_t amount;
    };
    struct Touched {
        Columns added = 0;
        Columns set = 0;
    };
    /// A row that is upserted.
    struct Standing {
        std::optional<Newness> newness;  ///< with what was decided; nullopt: not known here
        bool is_there = false;           ///< in the table, or it will be
        std::size_t versions = 0;        ///< of it that are not written
    };
    enum class Presence {
        unknown,     ///< asked for, or not even that
        missing,     ///< there is no such row
        unreadable,  ///< the key is text that is no number
        there,
    };
    struct Found {
        Presence presence = Presence::unknown;
        std::size_t row = 0;
    };

    explicit RowSpace(SpaceShape shape) : shape_{std::move(shape)} {}

    [[nodiscard]] const SpaceShape& shape() const noexcept { return shape_; }

    /// Asks for the row of a key without NULL. Views in it live until `fetch`.
    void want(std::span<const store::Datum> key);
    /// Locks the rows that are wanted, in the order of their keys.
    [[nodiscard]] Result<void> fetch(store::Connection& connection);
    [[nodiscard]] Found find(std::span<const store::Datum> key);
    /// The next `find` knows nothing: another statement may have changed the rows.
    void forget();

    [[nodiscard]] Sum& sum(std::size_t row, std::size_t column) {
        return sums_[row * shape_.sums.size() + column];
    }
    [[nodiscard]] Standing& standing(std::size_t row) { return standings_[row]; }
    /// Of a key that `find` calls missing: the row that an upsert makes, which is not there yet.
    [[nodiscard]] std::size_t add_missing(std::span<const store::Datum> key);
    [[nodiscard]] Touched& touched(std::size_t row) { return touched_[row]; }
    [[nodiscard]] bool guard_holds(std::size_t row, std::size_t guard) const {
        return (guards_[row] >> guard & 1U) != 0;
    }
    /// Where the table has checks: the amounts that are not written. A row stands once in each turn, so that
    /// one statement after the other brings it to each of its states.
    [[nodiscard]] const std::vector<std::vector<Amount>>& turns() const noexcept { return turns_; }
    void add_to_turn(std::size_t turn, Amount amount);
    void drop_last_of_turn(std::size_t turn) { turns_[turn].pop_back(); }
    void clear_turns() { turns_.clear(); }
    /// Appends the row's key as the database holds it. Views live until `forget`.
    void append_key(std::size_t row, std::vector<store::Datum>& out) const;

    /// Rows with something in Sum::unwritten, by column of the shape.
    std::vector<std::vector<std::size_t>> unwritten_sums;

private:
    struct Wanted {
        std::vector<store::Datum> key;
        const std::string* spelling;
        Found* found;
    };
    [[nodiscard]] Result<void> fetch_chunk(std::span<const Wanted> wanted, store::Connection& connection);
    [[nodiscard]] Result<void> ask_alone(const Wanted& wanted, store::Connection& connection);
    [[nodiscard]] Result<std::vector<store::Row>> lock(std::span<const Wanted> wanted, std::size_t size,
                                                       store::Connection& connection) const;
    [[nodiscard]] bool is_exact(std::span<const store::Datum> key) const noexcept;
    std::size_t add_row(store::Row row);

    SpaceShape shape_;
    std::unordered_map<std::string, Found> by_spelling_;
    std::vector<Wanted> wanted_;
    std::vector<store::Row> rows_;
    std::vector<Sum> sums_;  // of each row, in the order of the shape
    std::vector<Touched> touched_;
    std::vector<Standing> standings_;  // of upserted rows
    std::vector<std::vector<Amount>> turns_;
    std::vector<std::uint64_t> guards_;  // a bit for each of the shape's that holds
    std::string scratch_;
};

}  // namespace sluice::effects
