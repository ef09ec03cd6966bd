#include "consumer/store/driver/meta.hpp"

#include <array>

#include "common/error.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::store {

Result<std::optional<MetaValue>> read_meta(Connection& connection, std::string_view name) {
    const std::array<Datum, 1> parameters{Bytes{name}};
    const auto rows =
        connection.query("SELECT value, written_at FROM sluice_meta WHERE name = ?", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    const auto& row = rows->front();
    return MetaValue{std::get<std::string>(row.at(0)), std::get<WallTime>(row.at(1))};
}

Result<bool> insert_meta_once(Connection& connection, std::string_view name, std::string_view text,
                              WallTime now) {
    const std::array<Datum, 3> parameters{Bytes{name}, Bytes{text}, now};
    const auto done =
        connection.execute("INSERT INTO sluice_meta (name, value, written_at) VALUES (?, ?, ?)", parameters);
    if (done) return true;
    if (class_of(done.error()) == ErrorClass::duplicate) return false;
    return Failure{done.error()};
}

Result<bool> replace_meta(Connection& connection, std::string_view name, std::string_view expected,
                          std::string_view text, WallTime now) {
    const std::array<Datum, 4> parameters{Bytes{text}, now, Bytes{name}, Bytes{expected}};
    const auto rows = connection.execute(
        "UPDATE sluice_meta SET value = ?, written_at = ? WHERE name = ? AND value = ?", parameters);
    if (!rows) return Failure{rows.error()};
    return *rows == 1;
}

Result<void> lock_meta(Connection& connection, std::string_view name) {
    const std::array<Datum, 1> parameters{Bytes{name}};
    const auto rows = connection.query("SELECT name FROM sluice_meta WHERE name = ? FOR UPDATE", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return Failure{errc::unlisted_row_count};
    return {};
}

Result<void> write_meta(Connection& connection, std::string_view name, std::string_view text, WallTime now) {
    const std::array<Datum, 5> parameters{Bytes{name}, Bytes{text}, now, Bytes{text}, now};
    const auto done = connection.execute(
        "INSERT INTO sluice_meta (name, value, written_at) VALUES (?, ?, ?)"
        " ON DUPLICATE KEY UPDATE value = ?, written_at = ?",
        parameters);
    if (!done) return Failure{done.error()};
    return {};
}

}  // namespace sluice::store
