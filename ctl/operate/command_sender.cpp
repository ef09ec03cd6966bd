#include "ctl/operate/command_sender.hpp"

#include "common/kafka/client_config.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {

struct CommandSender::Reports {
    std::int64_t delivered = 0;
    std::string failure;  ///< the first one's
};

namespace {

constexpr auto* report_within_ms = "30000";

kafka::Client command_producer(const config::KafkaSettings& settings, void* reports,
                               void (*on_report)(rd_kafka_t*, const rd_kafka_message_t*, void*)) {
    kafka::Conf conf = kafka::client_config(settings, "sluicectl");
    kafka::set(*conf, "enable.idempotence", "true");
    kafka::set(*conf, "acks", "all");
    kafka::set(*conf, "partitioner", "murmur2_random");
    kafka::set(*conf, "message.timeout.ms", report_within_ms);
    rd_kafka_conf_set_dr_msg_cb(conf.get(), on_report);
    rd_kafka_conf_set_opaque(conf.get(), reports);
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);
    auto client = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings);
    if (!client) throw Stopped{Exit::usage, "kafka: " + client.error()};
    return std::move(*client);
}

}  // namespace

command::Place command_place(const config::KafkaSettings& settings) {
    KafkaAdmin admin{settings};
    admin.reach();
    const auto facts = admin.facts(settings.command_topic);
    if (!facts) {
        throw Stopped{Exit::no,
                      "topic " + settings.command_topic + " does not exist: run `sluicectl topics --apply`"};
    }
    return {.topic_id = facts->topic_id, .group = settings.group};
}

CommandSender::CommandSender(const config::KafkaSettings& settings, const command::OperatorKey* key)
    : topic_{settings.command_topic},
      place_{command_place(settings)},
      key_{key},
      reports_{std::make_unique<Reports>()} {
    client_ = command_producer(settings, reports_.get(),
                               [](rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
                                   auto& reports = *static_cast<Reports*>(opaque);
                                   if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR)
                                       ++reports.delivered;
                                   else if (reports.failure.empty())
                                       reports.failure = rd_kafka_err2str(message->err);
                               });
}

CommandSender::~CommandSender() {
    // What has no report yet is sent again when the run is resumed.
    if (client_) rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
}

void CommandSender::stop_if_failed() {
    if (!reports_->failure.empty()) {
        throw Stopped{Exit::unreachable,
                      "Kafka did not accept a command on " + topic_ + ": " + reports_->failure};
    }
}

void CommandSender::send(std::string_view key, std::string_view value) {
    if (key_ == nullptr) {
        produce(key, value, {});
        return;
    }
    const std::string signature = command::sign(command::command_of(key, value), place_, *key_);
    produce(key, value, {{command::signature_header, signature}});
}

void CommandSender::approve(std::string_view key, const Approved& approved) {
    const std::string signature = command::sign(
        command::approval_of(key, approved.value, approved.proposal, approved.approval), place_, *key_);
    produce(key, approved.value,
            {{command::proposal_header, approved.proposal},
             {command::approval_header, approved.approval},
             {command::approval_signature_header, signature}});
}

void CommandSender::produce(std::string_view key, std::string_view value, const Headers& headers) {
    for (;;) {
        rd_kafka_poll(client_.get(), 0);
        stop_if_failed();
        const auto code = hand_over(key, value, headers);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return;
        if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
            throw Stopped{Exit::no,
                          "Kafka does not accept a command on " + topic_ + ": " + rd_kafka_err2str(code)};
        }
        rd_kafka_poll(client_.get(), 100);
    }
}

rd_kafka_resp_err_t CommandSender::hand_over(std::string_view key, std::string_view value,
                                             const Headers& headers) {
    std::vector<rd_kafka_vu_t> fields(4 + headers.size());
    fields[0].vtype = RD_KAFKA_VTYPE_TOPIC;
    fields[0].u.cstr = topic_.c_str();
    fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    fields[1].u.i = RD_KAFKA_MSG_F_COPY;
    fields[2].vtype = RD_KAFKA_VTYPE_KEY;
    fields[2].u.mem = {const_cast<char*>(key.data()), key.size()};
    fields[3].vtype = RD_KAFKA_VTYPE_VALUE;
    fields[3].u.mem = {const_cast<char*>(value.data()), value.size()};
    for (std::size_t i = 0; i < headers.size(); ++i) {
        fields[4 + i].vtype = RD_KAFKA_VTYPE_HEADER;
        fields[4 + i].u.header = {headers[i].first.data(), headers[i].second.data(),
                                  static_cast<ssize_t>(headers[i].second.size())};
    }
    const kafka::ErrorHandle error{rd_kafka_produceva(client_.get(), fields.data(), fields.size())};
    return error ? rd_kafka_error_code(error.get()) : RD_KAFKA_RESP_ERR_NO_ERROR;
}

void CommandSender::flush(std::chrono::milliseconds patience) {
    const auto code = rd_kafka_flush(client_.get(), static_cast<int>(patience.count()));
    stop_if_failed();
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        throw Stopped{Exit::unreachable, "Kafka does not confirm commands on " + topic_};
    }
}

std::int64_t CommandSender::delivered() const noexcept {
    return reports_->delivered;
}

}  // namespace sluice::ctl
