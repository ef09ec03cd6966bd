#pragma once

#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/payment_rule.hpp"

namespace sluice::webhook {

/// The pointers of all facts and of the digest, which are asked of every event.
void ask_together(Extraction& extraction);

/// Those of all cases: which one an event is of is asked first.
void ask_together(PaymentRule& rule);

}  // namespace sluice::webhook
