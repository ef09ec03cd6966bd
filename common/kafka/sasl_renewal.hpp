#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include <librdkafka/rdkafka.h>

#include "common/config/credential.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::kafka {

/// A thread that keeps a client's SASL user and password what their files hold, for its next connections;
/// those that are open stay (rd_kafka_sasl_set_credentials). It looks every second.
class SaslRenewal {
public:
    /// All outlive the object.
    SaslRenewal(rd_kafka_t& client, const config::Credential& user, const config::Credential& password);

private:
    void run(const std::stop_token& stop);

    rd_kafka_t& client_;
    const config::Credential& user_;
    const config::Credential& password_;
    crypto::Digest told_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::kafka
