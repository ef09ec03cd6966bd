#include "ctl/doctor/keys_check.hpp"

#include "common/webhook/source_file/made_of.hpp"
#include "consumer/store/schema/source_keys.hpp"

namespace sluice::ctl {

Findings check_keys(const config::MysqlSettings& mysql, const webhook::SourceSet& sources) {
    const auto connection = store::Connection::open(mysql);
    if (!connection) return {};
    const auto recorded = store::recorded_keys(**connection);
    if (!recorded) return {};
    std::vector<record::SourceKeys> before;
    for (const auto& row : *recorded) before.push_back(row.keys);
    const auto changes = record::changed_keys(before, webhook::keys_of(sources));
    if (!changes.empty()) return {{"mysql.keys", Level::fail, record::keys_changed(changes)}};
    return {{"mysql.keys", Level::ok, "the keys of events are made as recorded"}};
}

}  // namespace sluice::ctl
