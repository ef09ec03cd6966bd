#include "consumer/apply/payment_said.hpp"

#include "common/webhook/extract/decode.hpp"
#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/event.hpp"

namespace sluice::consumer {

namespace {

PaymentSaid said_by(const webhook::Source* source, std::string_view body, bool is_edited) {
    if (source == nullptr) return {.kind = std::nullopt};
    if (!source->program->payment) return {.kind = ""};
    thread_local webhook::JsonView view;
    if (!read_body(*source, body, is_edited, view)) return {.kind = std::nullopt};
    return payment_said(*source, view);
}

}  // namespace

Result<void> read_body(const webhook::Source& source, std::string_view body, bool is_edited,
                       webhook::JsonView& view) {
    return is_edited ? webhook::decode_edited(source, body, view) : webhook::decode(source, body, view);
}

std::optional<std::string_view> payment_kind(const webhook::Source& source, const webhook::JsonView& body) {
    if (!source.program->payment) return "";
    const auto its = webhook::case_of(*source.program->payment, body);
    if (!its) return std::nullopt;
    return *its == nullptr ? std::string_view{} : std::string_view{(*its)->kind};
}

PaymentSaid payment_said(const webhook::Source& source, const webhook::JsonView& body) {
    if (!source.program->payment) return {.kind = ""};
    const auto its = webhook::case_of(*source.program->payment, body);
    if (!its) return {.kind = std::nullopt};
    if (*its == nullptr) return {.kind = ""};
    auto numbers = webhook::numbers_of(**its, body);
    return {.kind = (*its)->kind,
            .reference = std::move(numbers.reference),
            .transaction = std::move(numbers.transaction)};
}

PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources) {
    return said_by(source_of(item, sources), item.record.value, item.edited);
}

PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources, std::string_view edited_body) {
    return said_by(source_of(item, sources), edited_body, true);
}

void note_payment(Item& item, const webhook::SourceSet& sources) {
    if (!item.payment && item.decoded) item.payment = payment_said(item, sources);
}

}  // namespace sluice::consumer
