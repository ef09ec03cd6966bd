#include "consumer/effects/send/payment_event.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/time_util.h>

#include "common/crypto/digest.hpp"
#include "common/error.hpp"
#include "consumer/effects/send/message_body.hpp"
#include "proto/payment_event.pb.h"

namespace sluice::effects {
namespace {

using google::protobuf::util::TimeUtil;
using webhook::PaymentFact;

google::protobuf::Timestamp timestamp(WallTime time) {
    return TimeUtil::MicrosecondsToTimestamp(
        std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count());
}

std::size_t index_of_fact(PaymentFact fact, NameScope& names) {
    // Two messages of an effect share it. With a blank it is no :name.
    const std::string name =
        "payment_event's " + std::string{webhook::payment_facts[static_cast<std::size_t>(fact)]};
    const auto its = std::ranges::find(names.let(), name, &Parameter::name);
    if (its != names.let().end()) return static_cast<std::size_t>(its - names.let().begin());
    ValueSource source{.from = ValueSource::From::payment};
    source.fact = fact;
    return names.add({.name = name, .place = {}, .from = {std::move(source)}, .optional = true});
}

void write_headers(const record::EventHeaders& headers, v1::PaymentEvent& out) {
    out.set_event_id(headers.event_id);
    out.set_provider(headers.provider);
    out.set_principal(headers.principal);
    out.set_livemode(headers.livemode);
    out.set_source(headers.source);
    out.set_type(headers.type);
    out.set_object(headers.object);
    if (headers.occurred_at) *out.mutable_occurred_at() = timestamp(*headers.occurred_at);
    *out.mutable_received_at() = timestamp(headers.received_at);
    out.set_content_digest(std::string{crypto::as_text(headers.content_digest)});
    out.set_dedup_key(std::string{crypto::as_text(headers.dedup_key)});
}

void write_place(const RecordPlace& at, v1::PaymentEvent& out) {
    if (at.topic.empty()) return;
    out.mutable_record()->set_topic(std::string{at.topic});
    out.mutable_record()->set_partition(at.partition);
    out.mutable_record()->set_offset(at.offset);
}

void write_fact(PaymentFact fact, const store::Datum& value, v1::PaymentFacts& out) {
    const auto text = [&value] { return std::string{std::get<std::string_view>(value)}; };
    switch (fact) {
        case PaymentFact::kind:
            return out.set_kind(text());
        case PaymentFact::reference:
            return out.set_reference(text());
        case PaymentFact::transaction:
            return out.set_transaction(text());
        case PaymentFact::refund:
            return out.set_refund(text());
        case PaymentFact::amount:
            return out.set_amount(std::get<std::int64_t>(value));
        case PaymentFact::refunded_total:
            return out.set_refunded_total(std::get<std::int64_t>(value));
        case PaymentFact::currency:
            return out.set_currency(text());
        case PaymentFact::paid_at:
            *out.mutable_paid_at() = timestamp(std::get<WallTime>(value));
            return;
        case PaymentFact::payer:
            return out.set_payer(text());
    }
}

}  // namespace

std::shared_ptr<const PaymentEventBody> PaymentEventBody::read(NameScope& names, bool with_body) {
    auto body = std::make_shared<PaymentEventBody>();
    body->with_body_ = with_body;
    for (std::size_t i = 0; i < body->facts_.size(); ++i)
        body->facts_[i] = index_of_fact(static_cast<PaymentFact>(i), names);
    return body;
}

Result<store::Datum> PaymentEventBody::make(const EventValues& event, std::pmr::memory_resource& made) const {
    v1::PaymentEvent message;
    write_headers(event.headers, message);
    write_place(event.body->at, message);
    for (std::size_t i = 0; i < facts_.size(); ++i) {
        const store::Datum& value = event.let[facts_[i]];
        if (!std::holds_alternative<std::nullptr_t>(value))
            write_fact(static_cast<PaymentFact>(i), value, *message.mutable_payment());
    }
    if (with_body_) {
        if (event.body->bytes.size() > MessageBody::longest)
            return Failure{make_error_code(errc::out_of_range)};
        message.set_body(std::string{event.body->bytes});
        message.set_content_type(event.headers.content_type);
    }
    const google::protobuf::LogSilencer no_lines_on_stderr;
    const std::string bytes = message.SerializeAsString();
    if (bytes.size() > MessageBody::longest) return Failure{make_error_code(errc::out_of_range)};
    if (!v1::PaymentEvent{}.ParseFromString(bytes)) return Failure{make_error_code(errc::undecodable)};
    auto* kept = static_cast<char*>(made.allocate(bytes.size(), 1));
    std::ranges::copy(bytes, kept);
    return store::Datum{store::Bytes{{kept, bytes.size()}}};
}

}  // namespace sluice::effects
