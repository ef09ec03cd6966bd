#pragma once

#include <span>
#include <vector>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/handle.hpp"

/// Inside of Statement: nothing else includes this.
namespace sluice::store {

/// The parameters of one execution as the driver wants them. Points into the caller's data; its memory serves
/// the next execution.
class Bindings {
public:
    [[nodiscard]] MYSQL_BIND* of(std::span<const Datum> parameters);

private:
    void set(std::size_t i, std::nullptr_t);
    void set(std::size_t i, const std::int64_t& value);
    void set(std::size_t i, const double& value);
    void set(std::size_t i, std::string_view value);
    void set(std::size_t i, Bytes value);
    void set(std::size_t i, std::chrono::sys_days value);
    void set(std::size_t i, WallTime value);
    void set_bytes(std::size_t i, std::string_view value, enum_field_types type);
    void set_time(std::size_t i, MYSQL_TIME time, enum_field_types type);

    std::vector<MYSQL_BIND> binds_;
    std::vector<unsigned long> lengths_;
    std::vector<MYSQL_TIME> times_;
};

}  // namespace sluice::store
