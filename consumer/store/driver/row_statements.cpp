#include "consumer/store/driver/row_statements.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/printable.hpp"
#include "common/time_text.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t largest = 256;  // of those by binary logarithm

std::string text_of(std::string_view head, std::string_view row, std::string_view tail, std::size_t rows) {
    std::string text{head};
    for (std::size_t n = 0; n < rows; ++n) {
        text += n == 0 ? " " : ", ";
        text += row;
    }
    return text.append(tail);
}

bool is_plain(std::string_view text) {
    namespace eight = sluice::detail;
    return eight::all_of(
        text,
        [](std::uint64_t bytes) {
            const auto ends = eight::equal(bytes, '\'') | eight::equal(bytes, '\\');
            return ((eight::odd(bytes) | ends) & eight::top_bits) == 0;
        },
        [](char c) { return is_printable(c) && c != '\'' && c != '\\'; });
}

/// Appends one literal after the other.
struct Literal {
    std::string& sql;

    void operator()(std::nullptr_t) { sql += "NULL"; }
    void operator()(std::int64_t value) { number(value); }
    void operator()(double value) { number(value); }
    void operator()(Bytes value) { (*this)(value.bytes); }
    void operator()(std::string_view value) {
        if (is_plain(value)) {
            sql.append(1, '\'').append(value);
        } else {
            crypto::append_hex(sql.append("x'"), value);
        }
        sql += '\'';
    }
    void operator()(std::chrono::sys_days value) {
        sql += '\'';
        append_day(sql, value);
        sql += '\'';
    }
    void operator()(WallTime value) {
        sql += '\'';
        append_datetime(sql, value);
        sql += '\'';
    }

private:
    template <class Number>
    void number(Number value) {
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        sql.append(digits.data(), end);
    }
};

}  // namespace

std::vector<std::size_t> cut_rows(std::size_t count) {
    std::vector<std::size_t> sizes(count / full_batch, full_batch);
    count %= full_batch;
    for (std::size_t size = largest; size > 0; size /= 2) {
        if ((count & size) != 0) sizes.push_back(size);
    }
    return sizes;
}

std::string parameter_list(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "?" : ", ?";
    return text;
}

void append_row(std::string& sql, std::span<const Datum> values) {
    Literal literal{sql};
    char before = '(';
    for (const Datum& value : values) {
        sql += before;
        std::visit(literal, value);
        before = ',';
    }
    sql += ')';
}

void append_datetime(std::string& text, WallTime time) {
    constexpr std::size_t whole = std::string_view{"2026-11-21T19:03:22"}.size();
    const std::size_t begin = text.size();
    append_rfc3339(text, time);
    text[begin + 10] = ' ';
    const bool has_fraction = time != std::chrono::floor<std::chrono::seconds>(time);
    text.resize(has_fraction ? text.size() - 1 : begin + whole);
}

Result<void> exactly_one(const Result<std::int64_t>& matched) {
    if (!matched) return Failure{matched.error()};
    if (*matched != 1) return Failure{make_error_code(errc::unlisted_row_count)};
    return {};
}

RowStatements::RowStatements(std::string_view head, std::string_view row, std::string_view tail)
    : full_{text_of(head, row, tail, full_batch)} {
    for (std::size_t i = 0; i < texts_.size(); ++i)
        texts_.at(i) = text_of(head, row, tail, std::size_t{1} << i);
}

const std::string& RowStatements::of(std::size_t rows) const {
    if (rows == full_batch) return full_;
    if (!std::has_single_bit(rows) || rows > largest) {
        throw std::logic_error("no statement of that many rows");
    }
    return texts_.at(static_cast<std::size_t>(std::countr_zero(rows)));
}

}  // namespace sluice::store
