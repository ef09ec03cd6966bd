#pragma once

#include <string>
#include <vector>

#include "common/webhook/recipe/recipe.hpp"

namespace sluice::ctl {

/// A kind of payment that a recipe's events tell of, in words.
struct PaymentText {
    std::string kind;
    std::string when;   ///< "/trade_status is TRADE_SUCCESS or TRADE_FINISHED, /gmt_refund is absent"
    std::string facts;  ///< "reference /out_trade_no, amount /total_amount (decimal), …"
};

/// In the order in which they are looked at; none: the recipe says nothing of payments.
[[nodiscard]] std::vector<PaymentText> payments_of(const webhook::Recipe& recipe);

}  // namespace sluice::ctl
