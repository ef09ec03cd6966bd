#pragma once

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/send/signing/signer.hpp"

namespace sluice::ctl {

/// A Stripe source named stripe-eu with one key, "main", and what a test needs around it.
inline const char* const sample_config =
    "sources:\n"
    "  - name: stripe-eu\n"
    "    recipe: stripe\n"
    "    principal: acct_main\n"
    "    keys: [{id: main, value: {env: SLUICE_TEST_STRIPE_SECRET}}]\n"
    "    order_by: [/data/object/payment_intent, /data/object/id, /related_object/id]\n";

inline void set_sample_secret() {
    setenv("SLUICE_TEST_STRIPE_SECRET", "whsec_sample_secret_of_the_unit_tests", 1);
}

inline std::shared_ptr<const webhook::Source> sample_source() {
    set_sample_secret();
    config::Problems problems;
    const auto document = config::Document::from_text(sample_config, "sample.yaml", problems);
    const auto sources = webhook::read_sources(document, problems);
    if (problems.any()) throw std::runtime_error{problems.report()};
    return sources.front();
}

inline WallTime at(std::int64_t unix_seconds) {
    return WallTime{std::chrono::seconds{unix_seconds}};
}

inline Signer sample_signer(const std::shared_ptr<const webhook::Source>& source, WallTime now) {
    return {source, SigningKey::of(*source, now).value()};
}

/// A request as a file holds it, signed at `now`; `extra` are whole header lines.
inline std::string signed_request(const std::shared_ptr<const webhook::Source>& source,
                                  const std::string& body, WallTime now,
                                  const std::string& extra = "Host: localhost\r\n") {
    OutgoingRequest request{.target = source->path, .headers = {}, .body = body};
    sample_signer(source, now).sign(request, now).value();
    std::string text = "POST " + source->path + " HTTP/1.1\r\n" + extra;
    for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
    return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline const std::string sample_body =
    R"({"id":"evt_1","object":"event","type":"payment_intent.succeeded","created":1790000000,"livemode":false,)"
    R"("data":{"object":{"id":"pi_1","object":"payment_intent","amount":500,"customer":"cus_1"}}})";

}  // namespace sluice::ctl
