#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"

/// Keys of rows, as events spell them and as the database holds them. Two spellings may mean one row ('ABC'
/// and 'abc' in a collation without case, '007' and 7 in an INT): what is equal here is equal there, and
/// only the database knows the rest.
namespace sluice::effects {

/// Appends the spelling of a key's columns; equal for equal values, 7 and '7' alike.
void spell(std::span<const store::Datum> key, std::string& out);
/// The same of the first `columns` of a row.
void spell(const store::Row& row, std::size_t columns, std::string& out);

/// A key with a NULL in it is no row's.
[[nodiscard]] bool has_null(std::span<const store::Datum> key);

/// A row's column, to be sent back. A view of it.
[[nodiscard]] store::Datum sent_back(const store::OwnedDatum& value) noexcept;

/// Which of the rows that the server gave for `key` is meant; nullopt when there is none. Text finds a number
/// only where it is one ('007', not '7 apples', which servers take for 7): errc::wrong_type else.
[[nodiscard]] Result<std::optional<std::size_t>> meant_row(std::span<const store::Datum> key,
                                                           const std::vector<store::Row>& rows);

}  // namespace sluice::effects
