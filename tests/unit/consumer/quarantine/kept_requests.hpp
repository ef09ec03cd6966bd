#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "consumer/quarantine/read_again.hpp"
#include "ingress/publish/kept_request.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

/// Requests that a wrong recipe made the ingress keep, and the recipe that is right.
namespace sluice::consumer::test {

using webhook::test::Configured;
using webhook::test::secret;

inline constexpr std::int64_t some_day = 1'790'000'000;
inline const WallTime received = webhook::test::at_unix(some_day, 123'456);
inline constexpr std::string_view trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

inline std::string recipe(const std::string& more, const std::string& id) {
    return R"(recipes:
  - name: acme
    provider: acme
    algorithm: hmac-sha256
    keys: {form: text}
    signature: {header: X-Signature, container: raw, encoding: hex}
    timestamp: none
    signed: [body]
    body: json
)" + more + R"(
    extract: {id: )" +
           id + R"(, type: /type, order_by: [/order], livemode: true}
    day: none
    digest: [[/type, /order], none]
    answers:
      success: {status: 200}
      bad_signature: {status: 400}
    answer_within: 4s
)";
}

inline const std::string together = "    items: {at: /events, signed: together}\n";

inline Configured configured(const std::string& recipe_text, const std::string& name = "eu",
                             const std::string& principal = "acct") {
    return Configured(recipe_text + "sources: [{name: " + name + ", recipe: acme, principal: " + principal +
                      ", " + webhook::test::one_key + "}]\n");
}

/// A request that the ingress keeps, and what it keeps of it.
class Kept {
public:
    Kept(const Configured& configured, std::string body, std::string target = "/", std::int64_t offset = 17)
        : offset_{offset},
          body_{std::move(body)},
          target_{std::move(target)},
          fields_{{"X-Signature", signature_ = webhook::test::hmac_hex(secret, body_)},
                  {"Content-Type", "application/json"}},
          kept_{publish::quarantine_record(configured.only(), request(), "a", received, trace,
                                           {errc::missing_pointer, "id: /event_id is missing"})} {}

    [[nodiscard]] webhook::Request request() const { return {"POST", target_, fields_, body_}; }
    [[nodiscard]] Record record() const {
        return {.at = {3, offset_, 0},
                .key = kept_.key,
                .value = body_,
                .headers = kept_.header_views(),
                .owner = {}};
    }
    [[nodiscard]] Result<std::vector<Item>> read(const Configured& by) const {
        const Record kept = record();
        return read_again(kept, kept_request_from(kept.headers).value(), body_, by.only());
    }
    [[nodiscard]] publish::KeptRequest& kept() { return kept_; }

private:
    std::int64_t offset_;
    std::string body_;
    std::string target_;
    std::string signature_;
    std::vector<webhook::HeaderField> fields_;
    publish::KeptRequest kept_;
};

inline const std::string body = R"({"id":"ev_1","type":"paid","order":"o1"})";

}  // namespace sluice::consumer::test
