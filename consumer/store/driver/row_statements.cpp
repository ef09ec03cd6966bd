#include "consumer/store/driver/row_statements.hpp"

#include <bit>
#include <stdexcept>

#include "common/error.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t largest = 256;

}  // namespace

std::vector<std::size_t> cut_rows(std::size_t count) {
    std::vector<std::size_t> sizes(count / largest, largest);
    for (std::size_t size = largest / 2; size > 0; size /= 2) {
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

RowStatements::RowStatements(std::string_view head, std::string_view row, std::string_view tail) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        auto& text = texts_.at(i);
        text = head;
        for (std::size_t n = 0; n < (std::size_t{1} << i); ++n) {
            text += n == 0 ? " " : ", ";
            text += row;
        }
        text += tail;
    }
}

const std::string& RowStatements::of(std::size_t rows) const {
    if (!std::has_single_bit(rows) || rows > largest) {
        throw std::logic_error("no statement of that many rows");
    }
    return texts_.at(static_cast<std::size_t>(std::countr_zero(rows)));
}

}  // namespace sluice::store
