#include "ctl/effects/trial/recorder.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "common/time_text.hpp"
#include "consumer/apply/setback.hpp"

namespace sluice::ctl {
namespace {

template <class T>
Json json_of_one(const T& held) {
    if constexpr (std::is_same_v<T, std::nullptr_t>)
        return nullptr;
    else if constexpr (std::is_same_v<T, store::Bytes>)
        return std::string{held.bytes};
    else if constexpr (std::is_same_v<T, WallTime> || std::is_same_v<T, std::chrono::sys_days>)
        return to_rfc3339(WallTime{held});
    else
        return held;
}

std::vector<Json> row_of(const store::Row& row) {
    std::vector<Json> values;
    for (const auto& column : row) values.push_back(json_of(column));
    return values;
}

}  // namespace

Json json_of(const store::Datum& value) {
    return std::visit([](const auto& held) { return json_of_one(held); }, value);
}

Json json_of(const store::OwnedDatum& value) {
    return std::visit([](const auto& held) { return json_of_one(held); }, value);
}

void Recorder::start(std::vector<TrialEffect>& effects) {
    effects_ = &effects;
    statements_.clear();
}

void Recorder::took(const effects::Effect& effect, const effects::Verdict& verdict,
                    SteadyTime::duration /*time*/) {
    const auto its = std::ranges::find(*effects_, &effect, &TrialEffect::effect);
    its->statements = std::exchange(statements_, {});
    its->verdict = verdict;
}

void Recorder::ran(const store::RanStatement& statement) {
    TrialStatement& said = statements_.emplace_back();
    said.text = statement.text;
    for (const auto& value : statement.bound) said.bound.push_back(json_of(value));
    said.matched = statement.matched;
    said.is_duplicate = statement.is_duplicate;
    said.is_select = statement.rows != nullptr;
    if (statement.rows != nullptr) {
        for (const auto& row : *statement.rows) said.rows.push_back(row_of(row));
    }
    // Without data, as the consumer says it: the server may quote a value that is masked here.
    if (statement.error) said.error = consumer::statement_failed(connection_, statement.error).reason;
}

}  // namespace sluice::ctl
