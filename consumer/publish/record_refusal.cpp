#include "consumer/publish/record_refusal.hpp"

#include <algorithm>
#include <array>

#include <librdkafka/rdkafka.h>

#include "common/kafka/error.hpp"

namespace sluice::consumer {
namespace {

constexpr std::array too_large{RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE};
constexpr std::array of_the_record{RD_KAFKA_RESP_ERR_INVALID_RECORD, RD_KAFKA_RESP_ERR_POLICY_VIOLATION,
                                   RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP};

bool is_one_of(const auto& codes, std::error_code error) {
    return std::ranges::any_of(codes, [&](auto code) { return error == kafka::make_error(code); });
}

}  // namespace

bool is_too_large(std::error_code error) noexcept {
    return is_one_of(too_large, error);
}

bool is_refusal_of_the_record(std::error_code error) noexcept {
    return is_refusal_of_the_message(error) ||
           error == kafka::make_error(RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
}

bool is_refusal_of_the_message(std::error_code error) noexcept {
    return is_too_large(error) || is_one_of(of_the_record, error);
}

}  // namespace sluice::consumer
