#include "tests/bench/outbox/message.hpp"

#include <format>

#include <boost/crc.hpp>

namespace sluice::bench {
namespace {

constexpr std::size_t body_size = 256;

std::uint64_t crc32_of(std::string_view text) {
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return crc.checksum();
}

std::string body_of(std::string_view customer, std::string_view event) {
    auto body = std::format(R"({{"customer":"{}","amount":2000,"event":"{}","kind":"credited","note":")",
                            customer, event);
    body.resize(body_size - 2, 'x');
    return body + "\"}";
}

}  // namespace

Message message(std::uint64_t number, std::uint64_t keys) {
    const auto event = std::format("evt_relay{:012}", number);
    auto key = std::format("cus_{:010}", crc32_of(std::to_string(number)) % keys);
    auto body = body_of(key, event);
    return {.key = std::move(key),
            .body = std::move(body),
            .headers = {{{"content-type", "application/json"},
                         {"idempotency-key", std::format("{:064x}", number)},
                         {"sluice-event-id", event},
                         {"sluice-event-type", "payment_intent.succeeded"},
                         {"sluice-source", "stripe-eu"},
                         {"sluice-effect", "credit-wallet"}}}};
}

}  // namespace sluice::bench
