#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// The events of a full batch, by default. A consumer that is behind writes no other number of rows, so these
/// have a statement of their own.
inline constexpr std::size_t full_batch = 300;

/// How `count` rows are cut into statements of 1, 2, 4 … 256 and `full_batch` rows, largest first: a session
/// then prepares ten statements for a table, not one for each batch size.
[[nodiscard]] std::vector<std::size_t> cut_rows(std::size_t count);

/// The smallest of `sizes` (ascending) that takes `count`, or the largest.
[[nodiscard]] std::size_t fitting_size(std::size_t count, const auto& sizes) {
    for (const std::size_t size : sizes) {
        if (size >= count) return size;
    }
    return *std::prev(std::end(sizes));
}

/// "?, ?, ?"
[[nodiscard]] std::string parameter_list(std::size_t count);

/// "(1, 'evt_1', x'00ff', NULL)": a row of literals, for rows that go in by the hundred: the connector takes
/// memory for each parameter, and that costs more than all that the row says. No byte of a value can end its
/// literal, in any sql_mode: what is not printable ASCII without quotes and backslashes is written as
/// hexadecimal digits. Binary columns, texts, times and ENUMs take either as they take a parameter; JSON
/// takes no digits, and a number's column would read them as one. A number is finite.
void append_row(std::string& sql, std::span<const Datum> values);

/// As MySQL writes it, without quotes.
void append_datetime(std::string& text, WallTime time);

/// Of a statement that names one row by its key. errc::unlisted_row_count when it matched none.
[[nodiscard]] Result<void> exactly_one(const Result<std::int64_t>& matched);

/// One multi-row INSERT in all its sizes, made once.
class RowStatements {
public:
    /// `head` is the statement up to VALUES, `row` one row's parentheses, `tail` what follows the rows.
    RowStatements(std::string_view head, std::string_view row, std::string_view tail = "");

    /// `rows` is a size that cut_rows gives.
    [[nodiscard]] const std::string& of(std::size_t rows) const;

private:
    std::array<std::string, 9> texts_;  // by binary logarithm
    std::string full_;                  // of full_batch
};

}  // namespace sluice::store
