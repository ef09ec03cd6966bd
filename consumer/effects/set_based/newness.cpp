#include "consumer/effects/set_based/newness.hpp"

#include <utility>

#include "common/error.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

using store::Datum;
using store::OwnedDatum;

std::optional<Mark> mark_of(const Datum& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&value)) return *time;
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string{*text};
    if (const auto* bytes = std::get_if<store::Bytes>(&value)) return std::string{bytes->bytes};
    return std::nullopt;
}

std::optional<Mark> mark_of(const OwnedDatum& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&value)) return *time;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return std::nullopt;
}

Made without(const std::string& column) {
    return {Outcome::park, make_error_code(errc::missing_pointer),
            "the event has no value for " + column + ", by which it would be newer or older than the row"};
}

std::optional<std::strong_ordering> compare(const Newness& event, const Newness& row) {
    if (event.marks.size() != row.marks.size()) return std::nullopt;
    for (std::size_t i = 0; i < event.marks.size(); ++i) {
        if (event.marks[i].index() != row.marks[i].index()) return std::nullopt;
    }
    if (event.is_deleted != row.is_deleted) return event.is_deleted <=> row.is_deleted;
    return event.marks <=> row.marks;
}

}  // namespace

std::expected<Newness, Made> newness_of(const Upsert& upsert, const EventValues& event) {
    Newness newness{upsert.deletes, {}};
    for (const auto& cell : upsert.newer) {
        const auto value = value_of(cell.value, event);
        if (!value) return std::unexpected(made_nothing(value.error()));
        auto mark = mark_of(*value);
        if (!mark) return std::unexpected(without(cell.column));
        newness.marks.push_back(std::move(*mark));
    }
    if (!upsert.deletes) return newness;
    for (const auto& cell : upsert.row) {
        if (cell.column != upsert.tombstone) continue;
        const auto value = value_of(cell.value, event);
        if (!value) return std::unexpected(made_nothing(value.error()));
        newness.is_deleted = *value != Datum{nullptr};
        if (!newness.is_deleted && !upsert.is_deleted_by_type) return std::unexpected(without(cell.column));
    }
    return newness;
}

std::vector<std::string> newness_columns(const Upsert& upsert) {
    std::vector<std::string> columns;
    for (const auto& cell : upsert.newer) columns.push_back(store::quoted_name(cell.column));
    columns.push_back(upsert.tombstone.empty() ? "0" : store::quoted_name(upsert.tombstone) + " IS NOT NULL");
    return columns;
}

std::optional<Newness> newness_of(std::span<const OwnedDatum> row) {
    Newness newness{row.back() == OwnedDatum{std::int64_t{1}}, {}};
    for (const auto& value : row.first(row.size() - 1)) {
        auto mark = mark_of(value);
        if (!mark) return std::nullopt;
        newness.marks.push_back(std::move(*mark));
    }
    return newness;
}

std::optional<Precedence> precedence_of(const Upsert& upsert, const Newness& event, const Newness* row) {
    if (row == nullptr) return Precedence::newer;
    const auto order = compare(event, *row);
    if (!order) return std::nullopt;
    if (*order > 0) return Precedence::newer;
    if (*order < 0) return Precedence::stale;
    return upsert.replaces_ties ? Precedence::newer : Precedence::tie;
}

Made made_outdated(const Upsert& upsert, Precedence precedence, const Newness& event, const Newness& row) {
    Made made = precedence == Precedence::tie         ? ended_with(upsert.tie, row_is_as_new)
                : row.is_deleted && !event.is_deleted ? ended_with(upsert.stale, row_is_deleted)
                                                      : ended_with(upsert.stale, row_is_newer);
    made.is_stale = true;
    return made;
}

Made made_incomparable() {
    return {Outcome::park, make_error_code(errc::wrong_type),
            "the row's columns of newer hold other types than the event's values"};
}

}  // namespace sluice::effects
