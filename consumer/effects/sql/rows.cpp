#include "consumer/effects/sql/rows.hpp"

#include <charconv>
#include <string>

namespace sluice::effects {

std::optional<std::int64_t> row_count_from(const std::string& text) noexcept {
    std::int64_t count = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || stop != end || count < 0) return std::nullopt;
    return count;
}

RowOutcomes RowOutcomes::read(const config::Value& value, NameScope& names) {
    RowOutcomes rows;
    rows.by_count_.clear();
    const auto entries = value.entries();
    if (entries.empty()) {
        value.problem("rows must be a mapping from row counts to outcomes, as in {1: done, 0: defer}");
        return rows;
    }
    for (const auto& [key, name] : entries) {
        const Ending ending = read_ending(
            name, {Outcome::done, Outcome::ignore, Outcome::defer, Outcome::retry, Outcome::park}, names);
        const auto count = row_count_from(key.scalar());
        if (!count && key.scalar() != "other") {
            key.problem("'" + key.scalar() + "' is not a row count: use a whole number from 0, or other");
        } else if (count ? !rows.by_count_.emplace(*count, ending).second : rows.other_.has_value()) {
            key.problem("rows has " + key.scalar() + " twice");
        } else if (!count) {
            rows.other_ = ending;
        }
    }
    return rows;
}

const Ending* RowOutcomes::of(std::int64_t count) const {
    if (const auto found = by_count_.find(count); found != by_count_.end()) return &found->second;
    return other_ ? &*other_ : nullptr;
}

}  // namespace sluice::effects
