#include "common/kafka/iam/token_renewal.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "common/failpoint.hpp"
#include "common/kafka/iam/pod_identity.hpp"
#include "common/kafka/iam/signed_token.hpp"
#include "common/thread_name.hpp"

namespace sluice::kafka::iam {
namespace {

constexpr std::chrono::seconds until_next = token_lifetime * 2 / 3;
constexpr std::chrono::seconds until_again{5};

std::expected<Keys, std::string> fetch_keys(std::string_view region, const std::stop_token& stop) {
    const auto identity = pod_identity(region);
    if (!identity) return std::unexpected(identity.error());
    const auto request = request_for_keys(*identity);
    if (!request) return std::unexpected(request.error());
    const auto answer = ask(*request, stop);
    if (!answer) return std::unexpected(request->url + ": " + answer.error());
    auto keys = keys_from(answer->bytes());
    if (!keys) return std::unexpected(request->url + " answered without keys");
    return std::move(*keys);
}

/// Empty: the client has it.
std::string give(rd_kafka_t& client, const Keys& keys, std::string_view region) {
    const WallTime now = SystemClock{}.wall();
    const auto end = std::chrono::floor<std::chrono::milliseconds>(now + token_lifetime).time_since_epoch();
    const std::string token = signed_token(keys, region, now);
    std::array<char, 512> reason{};
    const auto code = rd_kafka_oauthbearer_set_token(&client, token.c_str(), end.count(), "sluice", nullptr,
                                                     0, reason.data(), reason.size());
    return code == RD_KAFKA_RESP_ERR_NO_ERROR ? "" : reason.data();
}

std::string renew(rd_kafka_t& client, std::string_view region, const std::stop_token& stop) {
    const auto keys = fetch_keys(region, stop);
    return keys ? give(client, *keys, region) : keys.error();
}

}  // namespace

TokenRenewal::TokenRenewal(rd_kafka_t& client, std::string region)
    : client_{client},
      region_{std::move(region)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void TokenRenewal::run(const std::stop_token& stop) {
    name_this_thread("iam-token");
    while (!stop.stop_requested()) {
        const std::string trouble = renew(client_, region_, stop);
        if (!trouble.empty()) rd_kafka_oauthbearer_set_token_failure(&client_, trouble.c_str());
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, trouble.empty() ? until_next / HURRY() : until_again,
                       [] { return false; });
    }
}

}  // namespace sluice::kafka::iam
