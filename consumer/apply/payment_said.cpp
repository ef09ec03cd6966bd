#include "consumer/apply/payment_said.hpp"

#include "common/webhook/extract/decode.hpp"
#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/event.hpp"

namespace sluice::consumer {

PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources, std::string_view body) {
    const webhook::Source* source = source_of(item, sources);
    if (source == nullptr) return {.kind = std::nullopt};
    if (!source->program->payment) return {.kind = ""};
    thread_local webhook::JsonView view;
    if (!webhook::decode(*source, body, view)) return {.kind = std::nullopt};
    const auto its = webhook::case_of(*source->program->payment, view);
    if (!its) return {.kind = std::nullopt};
    if (*its == nullptr) return {.kind = ""};
    auto numbers = webhook::numbers_of(**its, view);
    return {.kind = (*its)->kind,
            .reference = std::move(numbers.reference),
            .transaction = std::move(numbers.transaction)};
}

void note_payment(Item& item, const webhook::SourceSet& sources) {
    if (!item.payment && item.decoded) item.payment = payment_said(item, sources, item.record.value);
}

}  // namespace sluice::consumer
