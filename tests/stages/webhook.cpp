#include "tests/stages/webhook.hpp"

#include <fcntl.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/webhook/body/json_index.hpp"
#include "common/webhook/extract/arrival.hpp"
#include "common/webhook/gate/admission.hpp"
#include "ingress/publish/outgoing.hpp"
#include "tests/bench/load/deliveries.hpp"

namespace sluice::stages {
namespace {

constexpr const char* path = "/v1/webhooks/bench";
constexpr const char* secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
constexpr std::size_t padding = webhook::JsonIndex::padding;

webhook::SourceSet sources() {
    ::setenv("SLUICE_STAGES_KEY", secret, 1);
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: bench, recipe: stripe, principal: bench, "
        "order_by: [/data/object/payment_intent, /data/object/id], "
        "keys: [{id: k1, value: {env: SLUICE_STAGES_KEY}}]}]",
        "stages.yaml", problems);
    auto read = webhook::read_sources(document, problems);
    if (problems.any()) throw std::runtime_error{problems.report()};
    return read;
}

void expect(bool holds, const char* step) {
    if (!holds) throw std::runtime_error{std::string{step} + " did not end as that of an accepted webhook"};
}

}  // namespace

Webhook::Webhook()
    : log_{{.program = "stages", .descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC)}},
      routes_{sources(), metrics_} {
    bench::Deliveries deliveries{path,       secret,
                                 "stages00", bench::Mode::fresh,
                                 1,          received_at_.time_since_epoch() / std::chrono::seconds{1}};
    bytes_ = deliveries.event(7);
    const std::size_t size = bytes_.size();
    bytes_.append(padding, '\0');
    whole_ = std::string_view{bytes_}.substr(0, size);
    read_head();
    verify();
    extract();
}

webhook::Request Webhook::request() const {
    return {head_.method, head_.target, head_.fields(), whole_.substr(head_size_)};
}

void Webhook::read_head() {
    const auto end = gate::find_head_end(whole_);
    expect(end && *end > 0, "the end of the head");
    head_size_ = *end;
    expect(gate::read_head(whole_.substr(0, head_size_), head_).has_value(), "the head");
    route_ = routes_.find(head_.path);
    expect(route_ != nullptr && gate::admit(head_, route_->source.get()), "the gate");
}

void Webhook::verify() {
    const auto authentic = webhook::verify(*route_->source, request(), received_at_, scratch_);
    expect(authentic.has_value(), "the signature");
    key_id_ = authentic->key_id;
}

void Webhook::extract() {
    expect(webhook::extract_into(event_, *route_->source, request(), json_, true).has_value(), "the body");
    webhook::complete(event_.headers, {received_at_, key_id_, traceparent, {}});
}

void Webhook::encode() {
    const publish::Record record{.key = event_.ordering_key,
                                 .value = request().body,
                                 .headers = headers_.encode(event_.headers),
                                 .marker = {}};
    const publish::Outgoing outgoing{record, 0, std::make_unique<publish::Delivery>()};
    expect(publish::size_of(record) > record.value.size(), "the record");
}

void Webhook::log_a_decision() {
    decisions_.received(*route_->source, event_.headers.type);
    decisions_.made(ingress::Outcome::accepted, {.route = route_,
                                                 .event = &event_,
                                                 .trace = "0af7651916cd43dd8448eb211c80319c",
                                                 .claim = "first",
                                                 .client = client_,
                                                 .took = std::chrono::microseconds{1234}});
}

}  // namespace sluice::stages
