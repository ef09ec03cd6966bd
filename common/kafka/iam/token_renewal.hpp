#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <librdkafka/rdkafka.h>

namespace sluice::kafka::iam {

/// A thread that gives a client its tokens for MSK, each well before the last one ends
/// (rd_kafka_oauthbearer_set_token). The client does not connect before the first one. When there is
/// none to give, the client reports why (rd_kafka_oauthbearer_set_token_failure).
class TokenRenewal {
public:
    /// `client` outlives the object.
    TokenRenewal(rd_kafka_t& client, std::string region);

private:
    void run(const std::stop_token& stop);

    rd_kafka_t& client_;
    std::string region_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::kafka::iam
