#pragma once

#include <cstdint>
#include <vector>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/handle.hpp"

/// Inside of Statement: nothing else includes this.
namespace sluice::store {

/// One column of a result: where the driver puts it.
struct Column {
    enum class Kind { integer, real, time, bytes } kind = Kind::bytes;
    std::int64_t integer = 0;
    double real = 0;
    MYSQL_TIME time{};
    std::vector<char> bytes;
    unsigned long length = 0;
    my_bool is_null = 0;
    my_bool is_unsigned = 0;
    my_bool is_cut = 0;

    /// Tells the driver to put the column `field` here. The object stays where it is from then on.
    void bind(MYSQL_BIND& out, const MYSQL_FIELD& field);
    /// Of the row that was fetched last.
    [[nodiscard]] OwnedDatum value() const;
};

}  // namespace sluice::store
