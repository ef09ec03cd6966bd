#include "consumer/store/driver/values.hpp"

#include <cppconn/datatype.h>
#include <cppconn/exception.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::store {
namespace {

using Type = sql::DataType;

OwnedDatum fitting(std::uint64_t value) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > most) return std::to_string(value);
    return static_cast<std::int64_t>(value);
}

/// 2026-11-21, or 2026-11-21 19:03:22, or the same with a fraction of six digits.
WallTime time_of(std::string_view text) {
    std::array<int, 7> parts{};  // from the year to the microsecond
    for (auto& part : parts) {
        const auto* end = std::from_chars(text.data(), text.data() + text.size(), part).ptr;
        text.remove_prefix(std::min(static_cast<std::size_t>(end - text.data()) + 1, text.size()));
        if (text.empty()) break;
    }
    const auto [year, month, day, hour, minute, second, microsecond] = parts;
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned int>(month)},
                                           std::chrono::day{static_cast<unsigned int>(day)}};
    return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
           std::chrono::seconds{second} + std::chrono::microseconds{microsecond};
}

std::string taken(sql::SQLString text) {
    return std::move(*text.operator->());
}

bool is_readable(sql::ResultSetMetaData& result, unsigned int number) {
    constexpr unsigned int decimal_room = 64;
    switch (result.getColumnType(number)) {
        case Type::UNKNOWN:
        case Type::GEOMETRY:
        case Type::JSON:
            return false;
        case Type::DECIMAL:
        case Type::NUMERIC:
            return result.getColumnDisplaySize(number) <= decimal_room;
        default:
            return true;
    }
}

}  // namespace

Column::Column(sql::ResultSetMetaData& result, unsigned int number)
    : number_{number}, kind_{kind_of(result, number)}, comparison_{comparison_of(result, number)} {
    constexpr int unsupported_type = 2036;
    if (is_readable(result, number)) return;
    throw sql::SQLException{"the connector cannot read column " + std::to_string(number) + " of the result",
                            "HY000", unsupported_type};
}

Column::Kind Column::kind_of(sql::ResultSetMetaData& result, unsigned int number) {
    switch (result.getColumnType(number)) {
        case Type::TINYINT:
        case Type::SMALLINT:
        case Type::MEDIUMINT:
        case Type::INTEGER:
        case Type::BIGINT:
        case Type::YEAR:
            return result.isSigned(number) ? Kind::integer : Kind::unsigned_integer;
        case Type::REAL:
        case Type::DOUBLE:
            return Kind::real;
        case Type::DATE:
        case Type::TIMESTAMP:
            return Kind::time;
        default:
            return Kind::bytes;
    }
}

/// CHAR and BINARY may also be types of MariaDB's plug-ins (UUID, INET6), which refuse what is none.
Comparison Column::comparison_of(sql::ResultSetMetaData& result, unsigned int number) {
    switch (result.getColumnType(number)) {
        case Type::VARCHAR:
        case Type::LONGVARCHAR:
        case Type::VARBINARY:
        case Type::LONGVARBINARY:
            return Comparison::text;
        default:
            break;
    }
    const Kind kind = kind_of(result, number);
    const bool is_whole = kind == Kind::integer || kind == Kind::unsigned_integer;
    return is_whole ? Comparison::whole_number : Comparison::other;
}

OwnedDatum Column::value(const sql::ResultSet& result) const {
    if (result.isNull(number_)) return nullptr;
    switch (kind_) {
        case Kind::integer:
            return result.getInt64(number_);
        case Kind::unsigned_integer:
            return fitting(result.getUInt64(number_));
        case Kind::real:
            return static_cast<double>(result.getDouble(number_));
        case Kind::time:
            return time_of(result.getString(number_).asStdString());
        case Kind::bytes:
            return taken(result.getString(number_));
    }
    return nullptr;
}

}  // namespace sluice::store
