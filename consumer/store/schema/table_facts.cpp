#include "consumer/store/schema/table_facts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "consumer/store/driver/sql_text.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

using ColumnKind = ColumnFacts::Kind;

int number_of(const OwnedDatum& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? static_cast<int>(*number) : 0;
}

int integer_bytes(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, int>, 5> widths{
        {{"tinyint", 1}, {"smallint", 2}, {"mediumint", 3}, {"int", 4}, {"bigint", 8}}};
    const auto* found = std::ranges::find(widths, type, &std::pair<std::string_view, int>::first);
    return found != widths.end() ? found->second : 0;
}

ColumnKind column_kind(std::string_view type) {
    if (integer_bytes(type) > 0) return ColumnKind::integer;
    if (type == "decimal") return ColumnKind::decimal;
    if (type == "date" || type == "datetime" || type == "timestamp" || type == "time")
        return ColumnKind::time;
    for (const std::string_view text : {"char", "varchar", "binary", "varbinary", "uuid"}) {
        if (type == text) return ColumnKind::text;
    }
    return type.ends_with("text") || type.ends_with("blob") ? ColumnKind::text : ColumnKind::other;
}

ColumnFacts column_facts(const Row& row) {
    ColumnFacts column;
    column.name = text_column(row.at(0));
    const auto type = text_column(row.at(1));
    column.type = text_column(row.at(2));
    column.kind = column_kind(type);
    column.bytes = integer_bytes(type);
    column.precision = number_of(row.at(3));
    column.scale = number_of(row.at(4));
    column.is_unsigned = column.type.contains("unsigned");
    column.nullable = text_column(row.at(5)) == "YES";
    const auto extra = text_column(row.at(7));
    column.may_be_left_out = column.nullable || number_of(row.at(6)) != 0 ||
                             extra.contains("auto_increment") || extra.contains("GENERATED");
    // The other _bin collations and BINARY pad, so that 'a' is 'a '.
    const auto collation = text_column(row.at(8));
    column.is_byte_exact = column.kind == ColumnKind::integer || type == "varbinary" || type == "blob" ||
                           collation == "utf8mb4_0900_bin" || collation == "utf8mb4_nopad_bin";
    return column;
}

Result<void> read_columns(Connection& connection, std::span<const Datum> table, TableFacts& facts) {
    const auto rows = connection.query(
        "SELECT column_name, data_type, column_type, CAST(COALESCE(numeric_precision, 0) AS SIGNED),"
        " CAST(COALESCE(numeric_scale, 0) AS SIGNED), is_nullable, column_default IS NOT NULL, extra,"
        " collation_name FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position",
        table);
    if (!rows) return Failure{rows.error()};
    for (const auto& row : *rows) facts.columns.push_back(column_facts(row));
    return {};
}

Result<void> read_unique(Connection& connection, std::span<const Datum> table, TableFacts& facts) {
    const auto rows = connection.query(
        "SELECT index_name, column_name FROM information_schema.statistics"
        " WHERE table_schema = DATABASE() AND table_name = ? AND non_unique = 0"
        " ORDER BY index_name, seq_in_index",
        table);
    if (!rows) return Failure{rows.error()};
    for (const auto& row : *rows) {
        const auto name = text_column(row.at(0));
        if (facts.unique.empty() || facts.unique.back().name != name) facts.unique.push_back({name, {}});
        facts.unique.back().columns.push_back(text_column(row.at(1)));  // empty where it is an expression
    }
    return {};
}

Result<void> read_links(Connection& connection, std::span<const Datum> table, TableFacts& facts) {
    const auto out = connection.query(
        "SELECT column_name, referenced_table_name FROM information_schema.key_column_usage"
        " WHERE table_schema = DATABASE() AND table_name = ? AND referenced_table_name IS NOT NULL",
        table);
    if (!out) return Failure{out.error()};
    for (const auto& row : *out) {
        facts.linked_columns.push_back(text_column(row.at(0)));
        facts.parents.push_back(text_column(row.at(1)));
    }
    const auto in = connection.query(
        "SELECT referenced_column_name FROM information_schema.key_column_usage"
        " WHERE referenced_table_schema = DATABASE() AND referenced_table_name = ?",
        table);
    if (!in) return Failure{in.error()};
    for (const auto& row : *in) facts.linked_columns.push_back(text_column(row.at(0)));
    return {};
}

/// Whether the table's definition says CHECK or GENERATED, outside quotes and comments: the catalogue's
/// tables of constraints differ between the servers, and some hide those of a column.
bool says(const std::string& definition, std::string_view word) {
    const auto pieces = cut_sql(definition);
    if (!pieces) return true;
    return std::ranges::any_of(*pieces, [word](const SqlPiece& piece) {
        return piece.kind == SqlPiece::Kind::code && piece.text.contains(word);
    });
}

Result<void> read_watchers(Connection& connection, std::string_view name, std::span<const Datum> table,
                           TableFacts& facts) {
    const auto triggers = connection.query(
        "SELECT 1 FROM information_schema.triggers"
        " WHERE event_object_schema = DATABASE() AND event_object_table = ?",
        table);
    if (!triggers) return Failure{triggers.error()};
    facts.has_triggers = !triggers->empty();
    const auto shown = connection.query("SHOW CREATE TABLE " + quoted_name(name), {});
    if (!shown) return Failure{shown.error()};
    const auto definition = shown->empty() ? std::string{} : text_column(shown->front().at(1));
    facts.has_checks = shown->empty() || says(definition, "CHECK");
    if (!shown->empty()) facts.bounds = check_bounds_in(definition);
    const auto is_of_a_column = [&](const CheckBound& bound) {
        return facts.column(bound.column) != nullptr;
    };
    if (facts.bounds && !std::ranges::all_of(*facts.bounds, is_of_a_column)) facts.bounds.reset();
    facts.has_generated = shown->empty() || says(definition, "GENERATED");
    return {};
}

}  // namespace

bool same_name(std::string_view one, std::string_view other) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::ranges::equal(one, other, {}, lower, lower);
}

std::string quoted_name(std::string_view name) {
    return "`" + std::string{name} + "`";
}

const ColumnFacts* TableFacts::column(std::string_view name) const noexcept {
    const auto found =
        std::ranges::find_if(columns, [&](const ColumnFacts& one) { return same_name(one.name, name); });
    return found != columns.end() ? &*found : nullptr;
}

std::string_view TableFacts::index_within(const std::vector<std::string>& within) const noexcept {
    const auto is_within = [&within](const std::string& column) {
        return std::ranges::any_of(within, [&](const auto& one) { return same_name(one, column); });
    };
    for (const auto& index : unique) {
        if (std::ranges::all_of(index.columns, is_within)) return index.name;
    }
    return {};
}

bool TableFacts::is_unique_or_linked(std::string_view name) const noexcept {
    const auto is_it = [&](const std::string& other) { return same_name(name, other); };
    if (std::ranges::any_of(linked_columns, is_it)) return true;
    return std::ranges::any_of(
        unique, [&](const UniqueIndex& index) { return std::ranges::any_of(index.columns, is_it); });
}

bool TableFacts::computes() const noexcept {
    return has_generated || std::ranges::any_of(unique, [](const UniqueIndex& index) {
               return std::ranges::any_of(index.columns, &std::string::empty);
           });
}

Result<std::optional<TableFacts>> read_table_facts(Connection& connection, std::string_view table) {
    const std::array<Datum, 1> name{table};
    const auto kind = connection.query(
        "SELECT table_type, COALESCE(engine, '') FROM information_schema.tables"
        " WHERE table_schema = DATABASE() AND table_name = ?",
        name);
    if (!kind) return Failure{kind.error()};
    if (kind->empty()) return std::nullopt;
    TableFacts facts;
    const bool is_table = text_column(kind->front().at(0)) == "BASE TABLE";
    facts.rolls_back = is_table && same_name(text_column(kind->front().at(1)), "InnoDB");
    auto done = read_columns(connection, name, facts);
    if (done) done = read_unique(connection, name, facts);
    if (done) done = read_links(connection, name, facts);
    if (done) done = read_watchers(connection, table, name, facts);
    if (!done) return Failure{done.error()};
    return facts;
}

}  // namespace sluice::store
