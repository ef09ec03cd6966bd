#include "consumer/effects/set_based/one_by_one.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/set_based/change_text.hpp"
#include "consumer/effects/set_based/exact.hpp"
#include "consumer/effects/set_based/newness.hpp"
#include "consumer/effects/set_based/row_key.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

using store::Comparison;
using store::Connection;
using store::Datum;
using store::Row;

/// The row of `key`, locked; nullopt when there is none. `parameters` are those of `outputs`.
Result<std::optional<Row>> lock_one(const KeyedTable& table, std::span<const std::string> outputs,
                                    std::vector<Datum> parameters, std::span<const Datum> key,
                                    Connection& connection) {
    if (has_null(key)) return std::nullopt;
    parameters.insert(parameters.end(), key.begin(), key.end());
    auto rows = connection.query(lock_text(table, outputs, 1), parameters);
    if (!rows) return Failure{rows.error()};
    const auto meant = meant_row(key, *rows);
    if (!meant) return Failure{meant.error()};
    if (!*meant) return std::nullopt;
    return std::move(rows->at(**meant));
}

/// Exactly the row of the key, or something is not as we think.
Made written(const Result<std::int64_t>& matched) {
    if (!matched) return made_nothing(matched.error());
    if (*matched == 1) return {};
    return {Outcome::retry, make_error_code(errc::unlisted_row_count),
            "not exactly the row of the key was written"};
}

Made insert_one(const Change& change, const Insertion& insertion, const EventValues& event,
                Connection& connection) {
    std::vector<Datum> row;
    if (const auto error = append_values(insertion.row, event, row)) return made_nothing(error);
    const auto inserted = connection.insert(insert_head(change) + " " + insert_row(change), row);
    if (!inserted) return made_nothing(inserted.error());
    return *inserted ? Made{} : made_duplicate(insertion.duplicate);
}

/// Whether `value` + `amount` is under the floor; nullopt where the column is none that we can count in.
std::optional<bool> is_under(const Addition& addition, const store::OwnedDatum& value, std::int64_t amount) {
    const auto scale = scale_of(value);
    const auto steps = scale ? steps_of(value, *scale) : std::nullopt;
    if (!steps) return std::nullopt;
    const Wide one = power_of_ten(*scale);
    return *steps + amount * one < *addition.floor * one;
}

Made add_one(const Change& change, const Addition& addition, const EventValues& event,
             Connection& connection) {
    const auto table = keyed_table(change);
    std::vector<Datum> key;
    if (const auto error = append_values(addition.key, event, key)) return made_nothing(error);
    const auto amount = amount_of(addition, event);
    if (!amount) return made_nothing(amount.error());
    const std::array outputs{store::quoted_name(addition.column)};
    const auto row = lock_one(table, outputs, {}, key, connection);
    if (!row) return made_nothing(row.error());
    if (!*row) return ended_with(addition.missing, row_is_missing);
    if (addition.floor) {
        const auto under = is_under(addition, (*row)->back(), *amount);
        if (!under) return made_nothing(make_error_code(errc::wrong_type));
        if (*under) return ended_with(addition.below, sum_is_below);
    }
    std::vector<Datum> parameters{*amount};
    for (std::size_t i = 0; i < key.size(); ++i) parameters.push_back(sent_back((**row)[i]));
    return written(connection.execute(add_text(table, addition.column, 1), parameters));
}

/// What `set` has for one event.
struct Setting {
    std::vector<Datum> key;
    std::vector<Datum> row;
    std::vector<Datum> guards;
};

Result<Setting> setting_of(const Assignment& assignment, const EventValues& event) {
    Setting setting;
    if (const auto error = append_values(assignment.key, event, setting.key)) return Failure{error};
    if (const auto error = append_values(assignment.row, event, setting.row)) return Failure{error};
    for (const auto& guard : assignment.when) {
        for (const auto& operand : guard.any_of) {
            const auto value = value_of(operand, event);
            if (!value) return Failure{value.error()};
            setting.guards.push_back(*value);
        }
    }
    return setting;
}

/// Text is compared as text, and whole numbers as such: no other row could be taken for the one that is
/// meant, and the server converts nothing, which it may refuse.
bool is_compared_as_it_is(std::span<const Datum> key, std::span<const store::Comparison> comparisons) {
    if (comparisons.size() < key.size()) return false;  // the server, or a proxy, named none
    for (std::size_t i = 0; i < key.size(); ++i) {
        const bool is_text = std::holds_alternative<std::string_view>(key[i]);
        if (comparisons[i] != (is_text ? Comparison::text : Comparison::whole_number)) return false;
    }
    return true;
}

/// Done, or why it failed, without a look at the row before; nullopt: no row was changed, or only a look says
/// which one is meant.
std::optional<Made> set_unseen(const KeyedTable& table, const Assignment& assignment, const Setting& setting,
                               Connection& connection) {
    std::vector<std::string> guarded;
    for (const auto& guard : assignment.when) guarded.push_back(store::quoted_name(guard.column));
    const auto comparisons = connection.comparisons(lock_text(table, guarded, 1));
    if (!comparisons) return made_nothing(comparisons.error());
    if (std::ranges::contains(*comparisons, Comparison::other)) return std::nullopt;
    if (!is_compared_as_it_is(setting.key, *comparisons)) return std::nullopt;
    auto parameters = setting.row;
    parameters.insert(parameters.end(), setting.key.begin(), setting.key.end());
    parameters.insert(parameters.end(), setting.guards.begin(), setting.guards.end());
    const auto changed = connection.execute(set_guarded_text(table, assignment), parameters);
    if (changed && *changed == 0) return std::nullopt;
    return written(changed);
}

Made set_locked(const KeyedTable& table, const Assignment& assignment, Setting setting,
                Connection& connection) {
    const std::array outputs{guard_text(assignment)};
    const auto row = lock_one(table, outputs, std::move(setting.guards), setting.key, connection);
    if (!row) return made_nothing(row.error());
    if (!*row) return ended_with(assignment.missing, row_is_missing);
    if ((*row)->back() != store::OwnedDatum{std::int64_t{1}}) {
        return ended_with(assignment.otherwise, guard_is_not_met);
    }
    for (std::size_t i = 0; i < setting.key.size(); ++i) setting.row.push_back(sent_back((**row)[i]));
    return written(connection.execute(set_text(table, assignment.row, 1), setting.row));
}

Made set_one(const Change& change, const Assignment& assignment, const EventValues& event,
             Connection& connection) {
    const auto table = keyed_table(change);
    auto setting = setting_of(assignment, event);
    if (!setting) return made_nothing(setting.error());
    if (has_null(setting->key)) return ended_with(assignment.missing, row_is_missing);
    auto made = set_unseen(table, assignment, *setting, connection);
    return made ? std::move(*made) : set_locked(table, assignment, std::move(*setting), connection);
}

/// What is written for an event, before it is known whether the row is there.
struct Version {
    std::vector<Datum> key;
    std::vector<Datum> row;
    Newness newness;
};

std::expected<Version, Made> version_of(const Upsert& upsert, const EventValues& event) {
    Version version;
    if (const auto error = append_values(upsert.key, event, version.key))
        return std::unexpected(made_nothing(error));
    if (has_null(version.key)) return std::unexpected(made_without_key());
    if (const auto error = append_values(upsert.row, event, version.row))
        return std::unexpected(made_nothing(error));
    auto newness = newness_of(upsert, event);
    if (!newness) return std::unexpected(newness.error());
    version.newness = std::move(*newness);
    return version;
}

Made update_one(const Change& change, const Upsert& upsert, Version version, const Row& row,
                Connection& connection) {
    const auto found = newness_of(std::span{row}.subspan(upsert.key.size()));
    const auto precedence = found ? precedence_of(upsert, version.newness, &*found) : std::nullopt;
    if (!precedence) return made_incomparable();
    if (*precedence != Precedence::newer) return made_outdated(upsert, *precedence, version.newness, *found);
    for (std::size_t i = 0; i < upsert.key.size(); ++i) version.row.push_back(sent_back(row[i]));
    return written(connection.execute(set_text(keyed_table(change), upsert.row, 1), version.row));
}

Made upsert_one(const Change& change, const Upsert& upsert, const EventValues& event,
                Connection& connection) {
    auto version = version_of(upsert, event);
    if (!version) return version.error();
    const auto outputs = newness_columns(upsert);
    // The second time: another transaction made the row in between. READ COMMITTED shows it now.
    for (int turn = 0; turn < 2; ++turn) {
        const auto row = lock_one(keyed_table(change), outputs, {}, version->key, connection);
        if (!row) return made_nothing(row.error());
        if (*row) return update_one(change, upsert, std::move(*version), **row, connection);
        auto values = version->key;
        values.insert(values.end(), version->row.begin(), version->row.end());
        const auto inserted = connection.insert(insert_head(change) + " " + insert_row(change), values);
        if (!inserted) return made_nothing(inserted.error());
        if (*inserted) return {};
    }
    return made_nothing(store::make_error(1062, "23000"));  // of another unique index
}

}  // namespace

Made made_without_key() {
    return {Outcome::park, make_error_code(errc::missing_pointer),
            "the key is NULL, and no row has such a key"};
}

Made made_nothing(std::error_code error) {
    return {outcome_of(error), error, error.message()};
}

Made ended_with(const Ending& ending, std::string_view why) {
    return {ending.outcome, {}, ending.outcome == Outcome::done ? std::string{} : std::string{why}, &ending};
}

Made made_duplicate(const Ending& duplicate) {
    const bool is_failure = duplicate.outcome == Outcome::park && duplicate.case_class.empty();
    return is_failure ? made_nothing(store::make_error(1062, "23000")) : ended_with(duplicate, row_is_there);
}

std::error_code append_values(std::span<const Cell> cells, const EventValues& event,
                              std::vector<Datum>& out) {
    for (const auto& cell : cells) {
        const auto value = value_of(cell.value, event);
        if (!value) return value.error();
        out.push_back(*value);
    }
    return {};
}

Result<std::int64_t> amount_of(const Addition& addition, const EventValues& event) {
    if (addition.by.kind == Operand::Kind::literal) {
        std::int64_t amount = 0;
        const auto& text = addition.by.text;
        (void)std::from_chars(text.data(), text.data() + text.size(), amount);  // checked when it was read
        return amount;
    }
    const auto value = value_of(addition.by, event);
    if (!value) return Failure{value.error()};
    return std::get<std::int64_t>(*value);
}

Made make_change(const Change& change, const EventValues& event, Connection& connection) {
    if (const auto* insertion = std::get_if<Insertion>(&change.what)) {
        return insert_one(change, *insertion, event, connection);
    }
    if (const auto* addition = std::get_if<Addition>(&change.what)) {
        return add_one(change, *addition, event, connection);
    }
    if (const auto* assignment = std::get_if<Assignment>(&change.what)) {
        return set_one(change, *assignment, event, connection);
    }
    return upsert_one(change, std::get<Upsert>(change.what), event, connection);
}

}  // namespace sluice::effects
