#include "ctl/doctor/recorded_checks.hpp"

#include "common/webhook/source_file/key_derivation.hpp"
#include "consumer/store/schema/partition_count.hpp"
#include "consumer/store/schema/source_keys.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {

Finding judge_spread(const kafka::TopicFacts& facts, const config::KafkaSettings& settings,
                     std::optional<int> recorded) {
    const std::string check = "kafka.partitions";
    const int spread = kafka::spread_of(facts, settings.partitions);
    if (auto less = kafka::spread_shortfall(facts, settings.topic, spread); !less.empty())
        return {check, Level::fail, std::move(less)};
    if (recorded && *recorded != spread)
        return {check, Level::fail, kafka::spread_changed(settings.topic, *recorded, spread)};
    std::string sentence = "keys are spread over " + std::to_string(spread) + " partitions";
    if (facts.partitions > spread) sentence += " of the topic's " + std::to_string(facts.partitions);
    return {check, Level::ok,
            sentence + (recorded ? ", as recorded" : "; no consumer has read the topic yet")};
}

Findings check_partitions(const config::KafkaSettings& kafka, const config::MysqlSettings& mysql) {
    try {
        KafkaAdmin admin{kafka, std::chrono::seconds{5}};
        admin.reach();
        const auto facts = admin.facts(kafka.topic);
        const auto connection = store::Connection::open(mysql);
        if (!facts || !connection) return {};
        const auto recorded = store::recorded_partitions(**connection, facts->topic_id);
        if (!recorded) return {};
        return {judge_spread(*facts, kafka, *recorded)};
    } catch (const Stopped&) {
        return {};
    } catch (const config::Refused&) {
        return {};
    }
}

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
