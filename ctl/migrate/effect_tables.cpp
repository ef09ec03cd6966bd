#include "ctl/migrate/effect_tables.hpp"

#include <algorithm>

#include "common/joined.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

using effects::TablePlan;

struct Mirrored {
    std::string table;
    const effects::TableWish* wish;
};

std::vector<Mirrored> mirrored_by(const effects::EffectSet& effects) {
    std::vector<Mirrored> all;
    for (const auto& effect : effects.all()) {
        const auto* set_based = dynamic_cast<const effects::ChangeEffect*>(effect.get());
        if (set_based == nullptr) continue;
        for (const auto& change : set_based->changes()) {
            const auto* upsert = std::get_if<effects::Upsert>(&change.what);
            const auto is_same = [&change](const Mirrored& one) {
                return store::same_name(one.table, change.table);
            };
            if (upsert != nullptr && upsert->wish && std::ranges::none_of(all, is_same))
                all.push_back({change.table, &*upsert->wish});
        }
    }
    return all;
}

std::string state_of(const TablePlan& plan) {
    if (plan.is_missing) return "missing";
    if (!plan.statement.empty()) return "lacks columns";
    return plan.differs.empty() ? "ready" : "differs";
}

}  // namespace

Result<std::vector<TablePlan>> plan_tables(const effects::EffectSet& effects, store::Connection& connection) {
    std::vector<TablePlan> plans;
    for (const auto& [table, wish] : mirrored_by(effects)) {
        const auto facts = store::read_table_facts(connection, table);
        if (!facts) return Failure{facts.error()};
        plans.push_back(effects::plan_table(table, *wish, *facts, connection.is_mariadb()));
    }
    return plans;
}

std::string people_of(const std::vector<TablePlan>& plans) {
    if (plans.empty()) return "The file has no effect with mirror, so sluice makes no tables for it.\n";
    Table table{{"TABLE", "STATE", "COLUMNS TO ADD"}};
    std::string statements;
    for (const auto& plan : plans) {
        table.row({plan.table, state_of(plan), plan.is_missing ? "all" : joined(plan.columns, ", ")});
        for (const auto& sentence : plan.differs) table.note(sentence);
        if (!plan.statement.empty()) statements += "\n" + plan.statement + ";\n";
    }
    return table.text() + statements;
}

Json json_of(const std::vector<TablePlan>& plans) {
    Json json = Json::array();
    for (const auto& plan : plans)
        json.push_back({{"table", plan.table},
                        {"state", state_of(plan)},
                        {"columns", plan.columns},
                        {"statement", plan.statement.empty() ? Json(nullptr) : Json(plan.statement)},
                        {"differs", plan.differs}});
    return json;
}

}  // namespace sluice::ctl
