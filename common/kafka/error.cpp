#include "common/kafka/error.hpp"

#include <algorithm>
#include <array>

#include "common/error.hpp"

namespace sluice::kafka {
namespace {

struct Row {
    rd_kafka_resp_err_t code;
    failure what_now;
};

// A code is `reject` only when it speaks of the message itself, whatever the state of the cluster:
// a wrong `reject` gives an event up, a wrong `retry` only waits. What is not listed is `retry`.
constexpr std::array table{
    Row{RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, failure::reject},
    Row{RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE, failure::reject},
    Row{RD_KAFKA_RESP_ERR_INVALID_RECORD, failure::reject},
    Row{RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, failure::reject},
    Row{RD_KAFKA_RESP_ERR__INVALID_ARG, failure::reject},
    Row{RD_KAFKA_RESP_ERR__KEY_SERIALIZATION, failure::reject},
    Row{RD_KAFKA_RESP_ERR__VALUE_SERIALIZATION, failure::reject},

    // the way to a broker
    Row{RD_KAFKA_RESP_ERR__TRANSPORT, failure::retry},
    Row{RD_KAFKA_RESP_ERR__RESOLVE, failure::retry},
    Row{RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, failure::retry},
    Row{RD_KAFKA_RESP_ERR__SSL, failure::retry},
    Row{RD_KAFKA_RESP_ERR__AUTHENTICATION, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION, failure::retry},

    // time
    Row{RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, failure::retry},
    Row{RD_KAFKA_RESP_ERR__TIMED_OUT, failure::retry},
    Row{RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE, failure::retry},
    Row{RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, failure::retry},

    // leaders, replicas, coordinators, topics that are not there yet
    Row{RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, failure::retry},
    Row{RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE, failure::retry},
    Row{RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, failure::retry},
    Row{RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH, failure::retry},
    Row{RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH, failure::retry},
    Row{RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS, failure::retry},
    Row{RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NOT_COORDINATOR, failure::retry},
    Row{RD_KAFKA_RESP_ERR_NOT_CONTROLLER, failure::retry},
    Row{RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, failure::retry},
    Row{RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, failure::retry},
    Row{RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, failure::retry},

    // full, throttled, damaged on the way
    Row{RD_KAFKA_RESP_ERR__QUEUE_FULL, failure::retry},
    Row{RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED, failure::retry},
    Row{RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR, failure::retry},
    Row{RD_KAFKA_RESP_ERR_INVALID_MSG, failure::retry},

    // rights and settings: the operator's, never the event's
    Row{RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, failure::retry},
    Row{RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, failure::retry},
    Row{RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, failure::retry},
    Row{RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED, failure::retry},
    Row{RD_KAFKA_RESP_ERR_POLICY_VIOLATION, failure::retry},
    Row{RD_KAFKA_RESP_ERR_INVALID_REQUIRED_ACKS, failure::retry},
    Row{RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, failure::retry},

    // the client is made anew, or goes away
    Row{RD_KAFKA_RESP_ERR__FATAL, failure::retry},
    Row{RD_KAFKA_RESP_ERR__FENCED, failure::retry},
    Row{RD_KAFKA_RESP_ERR__PURGE_QUEUE, failure::retry},
    Row{RD_KAFKA_RESP_ERR__PURGE_INFLIGHT, failure::retry},
    Row{RD_KAFKA_RESP_ERR__DESTROY, failure::retry},
    Row{RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, failure::retry},
    Row{RD_KAFKA_RESP_ERR_UNKNOWN_PRODUCER_ID, failure::retry},
    Row{RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH, failure::retry},
    Row{RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS, failure::retry},
    Row{RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION, failure::retry},
    Row{RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID, failure::retry},
};

class Category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "kafka"; }

    [[nodiscard]] std::string message(int code) const override {
        const auto kafka_code = static_cast<rd_kafka_resp_err_t>(code);
        return std::string{rd_kafka_err2name(kafka_code)} + ": " + rd_kafka_err2str(kafka_code);
    }

    [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
        const auto row =
            std::ranges::find(table, code, [](const Row& r) { return static_cast<int>(r.code); });
        return make_error_condition(row == table.end() ? failure::retry : row->what_now);
    }
};

}  // namespace

const std::error_category& category() noexcept {
    static const Category only;
    return only;
}

std::error_code make_error(rd_kafka_resp_err_t code) noexcept {
    return {static_cast<int>(code), category()};
}

}  // namespace sluice::kafka
