#include <algorithm>

#include "consumer/store/schema/migration.hpp"

namespace sluice::store {
namespace {

const MigrationRow* row_of(std::span<const MigrationRow> rows, int version) {
    const auto found = std::ranges::find(rows, version, &MigrationRow::version);
    return found != rows.end() ? &*found : nullptr;
}

}  // namespace

MigrationPlan plan_migrations(std::span<const Migration> migrations, std::span<const MigrationRow> rows) {
    MigrationPlan plan;
    const int known = migrations.empty() ? 0 : migrations.back().version;
    for (const auto& row : rows) {
        if (row.version > known) ++plan.newer;
    }
    for (const auto& migration : migrations) {
        const auto* row = row_of(rows, migration.version);
        if (row != nullptr && row->checksum != checksum_of(migration)) {
            plan.problems.push_back("migration " + std::string{migration.name} +
                                    " has changed since it was applied to this database");
        } else if (row == nullptr || !row->complete) {
            plan.pending.push_back(migration);
        }
    }
    // Later ones were made for a database that has the earlier ones.
    for (const auto& row : rows) {
        if (plan.pending.empty() || !row.complete || row.version < plan.pending.front().version) continue;
        plan.problems.push_back("migration " + row.name + " was applied before " +
                                std::string{plan.pending.front().name} +
                                ", which is missing: migrations only go forward");
    }
    return plan;
}

}  // namespace sluice::store
