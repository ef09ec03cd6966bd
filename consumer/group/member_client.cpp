#include "consumer/group/member_client.hpp"

#include "common/config/problems.hpp"

namespace sluice::consumer {

kafka::Client make_member_client(const config::KafkaSettings& kafka, const MemberSettings& member, void* self,
                                 RebalanceCallback on_rebalance, kafka::LogOf log_of) {
    kafka::Conf conf = kafka::client_config(kafka, member.name);
    kafka::set(*conf, "group.id", member.group);
    kafka::set(*conf, "enable.auto.offset.store", "false");
    kafka::set(*conf, "enable.auto.commit", "true");
    kafka::set(*conf, "auto.commit.interval.ms", "1000");
    kafka::set(*conf, "auto.offset.reset", member.offset_reset);
    kafka::set(*conf, "partition.assignment.strategy", member.assignors);
    kafka::set(*conf, "enable.partition.eof", "false");
    kafka::set(*conf, "check.crcs", "true");
    kafka::set(*conf, "isolation.level", "read_uncommitted");
    for (const auto& [name, value] : member.fetching) kafka::set(*conf, name.c_str(), value);
    rd_kafka_conf_set_opaque(conf.get(), self);
    rd_kafka_conf_set_rebalance_cb(conf.get(), on_rebalance);
    kafka::send_logs_to(*conf, log_of);
    auto client = kafka::make_client(RD_KAFKA_CONSUMER, std::move(conf), kafka);
    if (!client) throw config::Refused{"Kafka consumer " + member.name + ": " + client.error()};
    rd_kafka_poll_set_consumer(client->get());
    return std::move(*client);
}

}  // namespace sluice::consumer
