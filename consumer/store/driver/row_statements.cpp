#include "consumer/store/driver/row_statements.hpp"

#include <bit>
#include <stdexcept>

#include "common/error.hpp"

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
