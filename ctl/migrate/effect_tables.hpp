#pragma once

#include <string>
#include <vector>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/table_wish.hpp"
#include "ctl/cli/json.hpp"

/// The tables of the file's mirrors: what is missing of them.
namespace sluice::ctl {

/// By what the server has now, in the order of the file. The effects of one table agree on it
/// (consumer/effects/set_based/upserts_agree.hpp).
[[nodiscard]] Result<std::vector<effects::TablePlan>> plan_tables(const effects::EffectSet& effects,
                                                                  store::Connection& connection);

[[nodiscard]] std::string people_of(const std::vector<effects::TablePlan>& plans);
[[nodiscard]] Json json_of(const std::vector<effects::TablePlan>& plans);

}  // namespace sluice::ctl
