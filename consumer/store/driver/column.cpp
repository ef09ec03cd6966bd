#include "consumer/store/driver/column.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

namespace sluice::store {
namespace {

WallTime from_mysql(const MYSQL_TIME& time) {
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(time.year)},
                                           std::chrono::month{time.month}, std::chrono::day{time.day}};
    return std::chrono::sys_days{date} + std::chrono::hours{time.hour} + std::chrono::minutes{time.minute} +
           std::chrono::seconds{time.second} +
           std::chrono::microseconds{static_cast<std::int64_t>(time.second_part)};
}

Column::Kind kind_of(const MYSQL_FIELD& field) {
    switch (field.type) {
        case MYSQL_TYPE_TINY:
        case MYSQL_TYPE_SHORT:
        case MYSQL_TYPE_INT24:
        case MYSQL_TYPE_LONG:
        case MYSQL_TYPE_LONGLONG:
        case MYSQL_TYPE_YEAR:
            return Column::Kind::integer;
        case MYSQL_TYPE_FLOAT:
        case MYSQL_TYPE_DOUBLE:
            return Column::Kind::real;
        case MYSQL_TYPE_DATE:
        case MYSQL_TYPE_DATETIME:
        case MYSQL_TYPE_TIMESTAMP:
            return Column::Kind::time;
        default:
            return Column::Kind::bytes;
    }
}

}  // namespace

void Column::bind(MYSQL_BIND& out, const MYSQL_FIELD& field) {
    kind = kind_of(field);
    is_unsigned = (field.flags & UNSIGNED_FLAG) != 0;
    switch (kind) {
        case Kind::integer:
            out.buffer_type = MYSQL_TYPE_LONGLONG;
            out.buffer = &integer;
            out.is_unsigned = is_unsigned;
            break;
        case Kind::real:
            out.buffer_type = MYSQL_TYPE_DOUBLE;
            out.buffer = &real;
            break;
        case Kind::time:
            out.buffer_type = MYSQL_TYPE_DATETIME;
            out.buffer = &time;
            break;
        case Kind::bytes:
            bytes.resize(std::max<std::size_t>(field.max_length, 1));
            out.buffer_type = MYSQL_TYPE_STRING;
            out.buffer = bytes.data();
            out.buffer_length = bytes.size();
            break;
    }
    out.length = &length;
    out.is_null = &is_null;
    out.error = &is_cut;
}

OwnedDatum Column::value() const {
    if (is_null != 0) return nullptr;
    switch (kind) {
        case Kind::integer:
            if (is_unsigned && integer < 0) return std::to_string(std::bit_cast<std::uint64_t>(integer));
            return integer;
        case Kind::real:
            return real;
        case Kind::time:
            return from_mysql(time);
        case Kind::bytes:
            return std::string(bytes.data(), std::min<std::size_t>(length, bytes.size()));
    }
    return nullptr;
}

}  // namespace sluice::store
