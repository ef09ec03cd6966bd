#include "consumer/store/driver/bindings.hpp"

namespace sluice::store {
namespace {

MYSQL_TIME to_mysql(WallTime time, enum_mysql_timestamp_type type) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    MYSQL_TIME out{};
    out.year = static_cast<unsigned int>(static_cast<int>(date.year()));
    out.month = static_cast<unsigned int>(date.month());
    out.day = static_cast<unsigned int>(date.day());
    out.hour = static_cast<unsigned int>(clock.hours().count());
    out.minute = static_cast<unsigned int>(clock.minutes().count());
    out.second = static_cast<unsigned int>(clock.seconds().count());
    out.second_part = static_cast<unsigned long>(clock.subseconds().count());
    out.time_type = type;
    return out;
}

}  // namespace

MYSQL_BIND* Bindings::of(std::span<const Datum> parameters) {
    binds_.assign(parameters.size(), {});
    lengths_.resize(parameters.size());
    times_.resize(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        std::visit([this, i](const auto& value) { set(i, value); }, parameters[i]);
    }
    return binds_.data();
}

void Bindings::set(std::size_t i, std::nullptr_t) {
    binds_[i].buffer_type = MYSQL_TYPE_NULL;
}

void Bindings::set(std::size_t i, const std::int64_t& value) {
    binds_[i].buffer_type = MYSQL_TYPE_LONGLONG;
    binds_[i].buffer = const_cast<std::int64_t*>(&value);  // the driver only reads parameters
}

void Bindings::set(std::size_t i, const double& value) {
    binds_[i].buffer_type = MYSQL_TYPE_DOUBLE;
    binds_[i].buffer = const_cast<double*>(&value);
}

void Bindings::set(std::size_t i, std::string_view value) {
    set_bytes(i, value, MYSQL_TYPE_STRING);
}

void Bindings::set(std::size_t i, Bytes value) {
    set_bytes(i, value.bytes, MYSQL_TYPE_BLOB);
}

void Bindings::set(std::size_t i, std::chrono::sys_days value) {
    set_time(i, to_mysql(value, MYSQL_TIMESTAMP_DATE), MYSQL_TYPE_DATE);
}

void Bindings::set(std::size_t i, WallTime value) {
    set_time(i, to_mysql(value, MYSQL_TIMESTAMP_DATETIME), MYSQL_TYPE_DATETIME);
}

void Bindings::set_bytes(std::size_t i, std::string_view value, enum_field_types type) {
    if (value.data() == nullptr) value = "";  // the driver takes an absent buffer for NULL
    lengths_[i] = value.size();
    binds_[i].buffer_type = type;
    binds_[i].buffer = const_cast<char*>(value.data());
    binds_[i].buffer_length = value.size();
    binds_[i].length = &lengths_[i];
}

void Bindings::set_time(std::size_t i, MYSQL_TIME time, enum_field_types type) {
    times_[i] = time;
    binds_[i].buffer_type = type;
    binds_[i].buffer = &times_[i];
}

}  // namespace sluice::store
