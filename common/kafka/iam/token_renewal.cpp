#include "common/kafka/iam/token_renewal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <expected>
#include <utility>

#include <openssl/crypto.h>

#include "common/failpoint.hpp"
#include "common/kafka/iam/pod_identity.hpp"
#include "common/kafka/iam/signed_token.hpp"
#include "common/thread_name.hpp"

namespace sluice::kafka::iam {
namespace {

constexpr std::chrono::seconds until_again{5};

/// Two thirds of a token's life, which ends with its keys.
std::chrono::milliseconds until_next(WallTime now, WallTime end) {
    const auto left = std::chrono::floor<std::chrono::milliseconds>(end - now) * 2 / 3 / HURRY();
    return std::max(left, std::chrono::milliseconds{until_again});
}

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

/// How long it lasts, or why the client does not take it.
std::expected<std::chrono::milliseconds, std::string> give(rd_kafka_t& client, const Keys& keys,
                                                           std::string_view region) {
    const WallTime now = SystemClock{}.wall();
    const WallTime end = end_of_token(keys, now);
    const Secret token = signed_token(keys, region, now);
    std::string text{token.bytes()};
    std::array<char, 512> reason{};
    const auto code = rd_kafka_oauthbearer_set_token(
        &client, text.c_str(), std::chrono::floor<std::chrono::milliseconds>(end).time_since_epoch().count(),
        "sluice", nullptr, 0, reason.data(), reason.size());
    OPENSSL_cleanse(text.data(), text.size());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return std::unexpected(reason.data());
    return until_next(now, end);
}

std::expected<std::chrono::milliseconds, std::string> renew(rd_kafka_t& client, std::string_view region,
                                                            const std::stop_token& stop) {
    const auto keys = fetch_keys(region, stop);
    if (!keys) return std::unexpected(keys.error());
    return give(client, *keys, region);
}

}  // namespace

TokenRenewal::TokenRenewal(rd_kafka_t& client, std::string region)
    : client_{client},
      region_{std::move(region)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void TokenRenewal::run(const std::stop_token& stop) {
    name_this_thread("iam-token");
    while (!stop.stop_requested()) {
        const auto renewed = renew(client_, region_, stop);
        if (!renewed && !stop.stop_requested())
            rd_kafka_oauthbearer_set_token_failure(&client_, renewed.error().c_str());
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, renewed.value_or(until_again), [] { return false; });
    }
}

}  // namespace sluice::kafka::iam
