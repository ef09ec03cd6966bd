#include "command/call/service.hpp"

#include "common/crypto/encoding.hpp"
#include "consumer/destination/webhook_signature.hpp"

namespace sluice::command {

Exchange::Lines Service::headers(const Claim& claim, std::string_view traceparent,
                                 std::string_view body) const {
    const std::string id = crypto::to_hex(claim.key);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(clock_.wall().time_since_epoch()).count();
    const std::string timestamp = std::to_string(seconds);
    Exchange::Lines lines{"idempotency-key: " + id, "webhook-id: " + id, "webhook-timestamp: " + timestamp,
                          "sluice-command: " + command_, "sluice-fence: " + std::to_string(claim.fence)};
    if (!traceparent.empty()) lines.push_back("traceparent: " + std::string{traceparent});
    if (!keys_.empty())
        lines.push_back("webhook-signature: " + consumer::webhook_signature(keys_, id, timestamp, body));
    return lines;
}

Exchanged Service::call(const Claim& claim, const Request& request) {
    auto lines = headers(claim, request.traceparent, request.body);
    lines.emplace_back("Content-Type: application/json");
    lines.emplace_back("Expect:");  // curl waits a second for "100 Continue" before a larger body
    return exchange_.post(lines, request.body);
}

Exchanged Service::ask(const Claim& claim, std::string_view traceparent) {
    std::string url = call_.query->url;
    constexpr std::string_view placeholder = ":key";
    url.replace(url.find(placeholder), placeholder.size(), crypto::to_hex(claim.key));
    return exchange_.get(url, headers(claim, traceparent, ""));
}

}  // namespace sluice::command
