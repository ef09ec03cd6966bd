#include "tests/bench/load/deliveries.hpp"

#include <chrono>
#include <format>

namespace sluice::bench {
namespace {

constexpr std::size_t digits = 10;
constexpr std::uint64_t customers = 1000;
constexpr std::size_t body_size = 2048;
constexpr std::string_view no_number = "0000000000";
constexpr std::string_view no_signature = "0000000000000000000000000000000000000000000000000000000000000000";

std::int64_t unix_now() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
}

/// As Stripe prints it, filled up with metadata.
std::string body_of(std::string_view run, std::int64_t now) {
    std::string body = std::format(R"({{
  "id": "evt_{0}{1}",
  "object": "event",
  "api_version": "2025-09-30.clover",
  "created": {2},
  "data": {{
    "object": {{
      "id": "pi_{0}{1}",
      "object": "payment_intent",
      "amount": 2000,
      "amount_received": 2000,
      "currency": "eur",
      "customer": "cus_{0}{1}",
      "description": "an order of tea, \"first flush\"",
      "latest_charge": "ch_3MtwBwLkdIwHu7ix28a3tqPa",
      "payment_method_types": ["card", "link", "sepa_debit"],
      "status": "succeeded",
      "metadata": {{)",
                                   run, no_number, now);
    const std::string tail = R"(
        "last": "1"
      }
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_NffrFeUfNV2Hib",
    "idempotency_key": null
  },
  "type": "payment_intent.succeeded"
})";
    for (int i = 0; body.size() + tail.size() < body_size; ++i)
        body += std::format("\n        \"field_{}\": \"some text of an order that a shop wrote down, {:x}\",",
                            i, i * 7919);
    return body + tail;
}

std::string head_of(std::string_view path, std::int64_t now, std::size_t length) {
    return std::format(
        "POST {} HTTP/1.1\r\nHost: bench.example.test\r\nUser-Agent: Stripe/1.0 "
        "(+https://stripe.com/docs/webhooks)\r\n"
        "Accept: */*; q=0.5, application/xml\r\nCache-Control: no-cache\r\nContent-Type: application/json; "
        "charset=utf-8\r\n"
        "Accept-Encoding: gzip\r\nStripe-Signature: t={},v1={}\r\nContent-Length: {}\r\n\r\n",
        path, now, no_signature, length);
}

}  // namespace

Deliveries::Deliveries(std::string_view path, std::string_view secret, std::string_view run, Mode mode,
                       std::uint64_t known, std::optional<std::int64_t> at)
    : signature_{secret}, mode_{mode}, known_{known}, at_{at} {
    const std::int64_t now = at.value_or(unix_now());
    const std::string body = body_of(run, now);
    request_ = head_of(path, now, body.size()) + body;
    body_at_ = request_.size() - body.size();
    time_at_ = request_.find("t=", request_.find("Stripe-Signature")) + 2;
    signature_at_ = request_.find("v1=") + 3;
    event_id_at_ = request_.find("\"evt_", body_at_) + 5 + run.size();
    object_id_at_ = request_.find("\"pi_", body_at_) + 4 + run.size();
    customer_at_ = request_.find("\"cus_", body_at_) + 5 + run.size();
}

std::string_view Deliveries::next() {
    const std::uint64_t number = sent_++;
    put_number(mode_ == Mode::duplicate ? number % known_ : number);
    sign(mode_ != Mode::forged);
    return request_;
}

std::string_view Deliveries::event(std::uint64_t number) {
    put_number(number);
    sign(true);
    return request_;
}

void Deliveries::put_number(std::uint64_t number) {
    put(number, event_id_at_);
    put(number, object_id_at_);
    put(number % customers, customer_at_);
}

void Deliveries::put(std::uint64_t number, std::size_t at) {
    for (std::size_t i = digits; i-- > 0; number /= 10)
        request_[at + i] = static_cast<char>('0' + number % 10);
}

void Deliveries::sign(bool honestly) {
    static constexpr std::string_view hex = "0123456789abcdef";
    const std::string now = std::to_string(at_.value_or(unix_now()));
    request_.replace(time_at_, now.size(), now);
    Signature::Bytes bytes = signature_(now, std::string_view{request_}.substr(body_at_));
    if (!honestly) bytes.back() ^= 1;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        request_[signature_at_ + 2 * i] = hex[bytes[i] >> 4];
        request_[signature_at_ + 2 * i + 1] = hex[bytes[i] & 15];
    }
}

}  // namespace sluice::bench
