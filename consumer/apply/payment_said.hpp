#pragma once

#include <optional>
#include <string_view>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/record/record.hpp"

/// What an event says of a payment: its kind decides which effects it has, and by its numbers people find it
/// (docs/decisions/0095-found-by-payment-numbers.md). One reading of the body gives both.
namespace sluice::consumer {

/// Reads a body of an event of this source as effects see it; an operator's may hold opened what a provider
/// encrypts (docs/decisions/0096-edits-of-opened-bodies.md). `view` lives as long as the body.
[[nodiscard]] Result<void> read_body(const webhook::Source& source, std::string_view body, bool is_edited,
                                     webhook::JsonView& view);

/// The kind of payment that it tells of, a view of the recipe. Empty: of none; nothing: nobody can tell.
[[nodiscard]] std::optional<std::string_view> payment_kind(const webhook::Source& source,
                                                           const webhook::JsonView& body);

/// What the event's own body says. Where there is no source, or a body cannot be read, nobody can tell.
[[nodiscard]] PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources);
/// The same of a body that is read already.
[[nodiscard]] PaymentSaid payment_said(const webhook::Source& source, const webhook::JsonView& body);
/// The same with a body that an operator edited.
[[nodiscard]] PaymentSaid payment_said(const Item& item, const webhook::SourceSet& sources,
                                       std::string_view edited_body);

/// Keeps in `item.payment` what its own body says, unless something is noted already.
void note_payment(Item& item, const webhook::SourceSet& sources);

}  // namespace sluice::consumer
