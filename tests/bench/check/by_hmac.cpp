#include "tests/bench/check/by_hmac.hpp"

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/webhook/signature/verify.hpp"
#include "tests/bench/floor/webhook.hpp"

namespace sluice::bench {
namespace {

constexpr std::size_t body_size = 2048;
constexpr std::size_t calls_in_one_go = 2000;
constexpr const char* secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

std::string body_of_2_kb() {
    std::string body = R"({"id":"evt_1","type":"payment_intent.succeeded","data":{"text":")";
    body.resize(body_size - 3, 'x');
    return body + "\"}}";
}

webhook::SourceSet source_of(const std::string& recipe) {
    ::setenv("SLUICE_BENCH_KEY", secret, 1);
    config::Problems problems;
    const auto document =
        config::Document::from_text("sources: [{name: bench, principal: bench, recipe: " + recipe +
                                        ", keys: [{id: a, value: {env: SLUICE_BENCH_KEY}}]}]",
                                    "bench.yaml", problems);
    auto sources = webhook::read_sources(document, problems);
    if (sources.size() != 1) throw std::runtime_error{problems.report()};
    return sources;
}

std::string hmac(std::string_view key, std::string_view text) {
    const std::string_view pieces[] = {text};
    return std::string{crypto::as_text(crypto::HmacSha256{Secret{key}}(pieces))};
}

using Headers = std::vector<std::pair<std::string, std::string>>;

/// As the providers' own documentation says it.
Headers signed_headers(std::string_view recipe, const std::string& body, WallTime now) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    const std::string time = std::to_string(seconds);
    if (recipe == "stripe")
        return {{"Stripe-Signature", "t=" + time + ",v1=" + crypto::to_hex(hmac(secret, time + "." + body))}};
    if (recipe == "github")
        return {{"X-Hub-Signature-256", "sha256=" + crypto::to_hex(hmac(secret, body))},
                {"X-GitHub-Event", "push"},
                {"X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958"}};
    const std::string key = crypto::from_base64(std::string_view{secret}.substr(6)).value();
    const std::string id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W";
    const std::string signature = crypto::to_base64(hmac(key, id + "." + time + "." + body));
    return {{"webhook-id", id}, {"webhook-timestamp", time}, {"webhook-signature", "v1," + signature}};
}

/// One request, and a thread's state for it.
class EngineCheck {
public:
    explicit EngineCheck(const std::string& recipe) : sources_{source_of(recipe)} {
        headers_ = signed_headers(recipe, body_, clock_.wall());
        for (const auto& [name, value] : {std::pair{"Host", "bench.example.test"},
                                          {"User-Agent", "Bench/1.0"},
                                          {"Accept", "*/*"},
                                          {"Cache-Control", "no-cache"}})
            fields_.push_back({name, value});
        for (const auto& [name, value] : headers_) fields_.push_back({name, value});
        for (const auto& [name, value] : {std::pair{"Content-Type", "application/json"},
                                          {"Accept-Encoding", "gzip"},
                                          {"Content-Length", "2048"}})
            fields_.push_back({name, value});
    }

    bool operator()() {
        const webhook::Request request{"POST", "/v1/webhooks/bench", fields_, body_};
        return webhook::verify(*sources_.front(), request, clock_.wall(), scratch_).has_value();
    }

private:
    SystemClock clock_;
    webhook::SourceSet sources_;
    std::string body_ = body_of_2_kb();
    Headers headers_;
    std::vector<webhook::HeaderField> fields_;
    webhook::Scratch scratch_;
};

/// The floor's, which is handed the one header.
class BareCheck {
public:
    BareCheck() { header_ = signed_headers("stripe", body_, SystemClock{}.wall()).front().second; }
    bool operator()() { return reader_.is_authentic({header_, body_, body_.size()}); }

private:
    std::string body_ = body_of_2_kb();
    std::string header_;
    Reader reader_{secret};
};

}  // namespace

Pair pair_by_hmac(const std::string& recipe) {
    return {recipe, calls_in_one_go, [engine = std::make_unique<EngineCheck>(recipe)] { return (*engine)(); },
            [bare = std::make_unique<BareCheck>()] { return (*bare)(); }};
}

}  // namespace sluice::bench
