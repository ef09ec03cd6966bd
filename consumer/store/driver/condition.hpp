#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// A condition of a filter, clause by clause, with its parameters, which are views of the filter.
struct Condition {
    std::string sql;
    std::vector<Datum> parameters;

    void also(std::string_view clause, const Datum& value) {
        sql += " AND ";
        sql += clause;
        parameters.push_back(value);
    }
    /// `column`: bytes that the column takes, where a longer text stands for what was cut to it.
    void also_text(std::string_view clause, const std::optional<std::string>& text,
                   std::size_t column = std::string_view::npos) {
        if (text) also(clause, Bytes{std::string_view{*text}.substr(0, column)});
    }
};

}  // namespace sluice::store
