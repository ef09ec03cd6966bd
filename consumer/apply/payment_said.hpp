#pragma once

#include "common/webhook/recipe/source.hpp"
#include "consumer/record/record.hpp"

/// What an event says of a payment: its kind decides which effects it has, and by its numbers people find it
/// (docs/decisions/0095-found-by-payment-numbers.md). One reading of the body gives both.
namespace sluice::consumer {

/// What the event's own body says. Where there is no source, or a body cannot be read, nobody can tell.
[[nodiscard]] PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources);
/// The same with a body that an operator edited.
[[nodiscard]] PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources,
                                       std::string_view edited_body);

/// Keeps in `item.payment` what its own body says, unless something is noted already.
void note_payment(Item& item, const webhook::SourceSet& sources);

}  // namespace sluice::consumer
