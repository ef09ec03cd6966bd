#include "common/kafka/sasl_renewal.hpp"

#include <string>

#include <openssl/crypto.h>

#include "common/kafka/handle.hpp"
#include "common/thread_name.hpp"

namespace sluice::kafka {
namespace {

constexpr std::chrono::seconds between_looks{1};

crypto::Digest digest_of(const Secret& user, const Secret& password) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(user.bytes());
    digest.part(password.bytes());
    return digest.finish();
}

void tell(rd_kafka_t& client, const Secret& user, const Secret& password) {
    if (user.bytes().contains('\0') || password.bytes().contains('\0')) return;  // it would be cut
    const std::string name{user.bytes()};
    std::string text{password.bytes()};
    const ErrorHandle refused{rd_kafka_sasl_set_credentials(&client, name.c_str(), text.c_str())};
    OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace

SaslRenewal::SaslRenewal(rd_kafka_t& client, const config::Credential& user,
                         const config::Credential& password)
    : client_{client},
      user_{user},
      password_{password},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void SaslRenewal::run(const std::stop_token& stop) {
    name_this_thread("sasl-renewal");
    while (!stop.stop_requested()) {
        const Secret user = user_.now();
        const Secret password = password_.now();
        const crypto::Digest now = digest_of(user, password);
        if (now != told_) tell(client_, user, password);
        told_ = now;
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks, [] { return false; });
    }
}

}  // namespace sluice::kafka
